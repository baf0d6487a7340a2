package dev.stillframe.state;

/**
 * One key of a write to several states of a family, in the order in which such writes are put in
 * place.
 *
 * @param state the state that is written, as the caller knows it
 * @param member holds the key
 * @param edit the edit
 */
record MemberEdit(SessionState state, ConcurrentSessionState member, Edit edit)
    implements Comparable<MemberEdit> {
  @Override
  public int compareTo(MemberEdit other) {
    return member == other.member
        ? edit.key().compareTo(other.edit.key())
        : Integer.compare(member.index().order, other.member.index().order);
  }
}
