/**
 * A store that keeps traces in files, and the form of events on the wire.
 *
 * <p>{@link dev.stillframe.trace.store.FileTraceStore} and {@link
 * dev.stillframe.trace.store.EventJson} are the entry points. Both need Jackson's streaming part,
 * {@code com.fasterxml.jackson.core:jackson-core}, which the library does not bring along.
 *
 * <p><b>Nulls.</b> Parameters, results and values are non-null unless marked {@code @Nullable};
 * passing null elsewhere throws {@link java.lang.NullPointerException} and changes nothing.
 */
@NullMarked
package dev.stillframe.trace.store;

import org.jspecify.annotations.NullMarked;
