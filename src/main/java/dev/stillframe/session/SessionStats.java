package dev.stillframe.session;

/**
 * Counters of a service since it was opened. They are read one after the other, while others may
 * count on.
 *
 * @param sessions how many sessions are held now
 * @param created how many were created, forks included
 * @param deleted how many were deleted by a call
 * @param expired how many were let go because they were idle for too long
 * @param evicted how many were let go because there were too many
 * @param appended how many events were stored
 * @param duplicates how many appends found their event stored already
 * @param conflicts how many appends expected another version
 * @param oversized how many appends and creations were refused because the session would be too
 *     large
 */
public record SessionStats(
    long sessions,
    long created,
    long deleted,
    long expired,
    long evicted,
    long appended,
    long duplicates,
    long conflicts,
    long oversized) {}
