/**
 * Sessions that are kept outside of this process, so that several machines share them.
 *
 * <p>{@link dev.stillframe.session.store.JdbcSessions} keeps them in a database. Values are written
 * as {@link dev.stillframe.json.Json} says, which needs {@code
 * com.fasterxml.jackson.core:jackson-core}; the database needs the module {@code java.sql}. What is
 * no plain value comes back as an {@link dev.stillframe.json.Json object's text}, unless {@link
 * dev.stillframe.session.store.StoreOptions.Builder#json} is told how it looks. {@code temp:} keys
 * stay in the handle, and keep their objects.
 *
 * <p>No argument may be null where it is not marked so; a null is refused with {@link
 * java.lang.NullPointerException}.
 */
@NullMarked
package dev.stillframe.session.store;

import org.jspecify.annotations.NullMarked;
