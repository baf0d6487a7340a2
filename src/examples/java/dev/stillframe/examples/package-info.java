/**
 * An example application: recorded agent conversations are replayed side by side into sessions and
 * traces, wherever those are kept, while a dashboard watches all of them. Start with {@link
 * dev.stillframe.examples.ReplayConversations}.
 */
@NullMarked
package dev.stillframe.examples;

import org.jspecify.annotations.NullMarked;
