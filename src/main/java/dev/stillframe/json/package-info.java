/**
 * Plain values and {@link dev.stillframe.state.StateDelta}s as JSON, and back.
 *
 * <p>{@link dev.stillframe.json.Json} is the entry point, and says how values look. The package
 * needs Jackson's streaming part, {@code com.fasterxml.jackson.core:jackson-core}, which the
 * library does not bring along.
 *
 * <p><b>Nulls.</b> Parameters, results and values are non-null unless marked {@code @Nullable};
 * passing null elsewhere throws {@link java.lang.NullPointerException} and changes nothing.
 */
@NullMarked
package dev.stillframe.json;

import org.jspecify.annotations.NullMarked;
