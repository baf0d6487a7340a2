/**
 * The root of the library, which holds only the root of its exceptions, {@link
 * dev.stillframe.StillframeException}. Everything else is in the package named after what it does.
 */
@NullMarked
package dev.stillframe;

import org.jspecify.annotations.NullMarked;
