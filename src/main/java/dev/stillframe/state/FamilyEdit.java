package dev.stillframe.state;

/**
 * One key of a write to several states of a family.
 *
 * @param member the place of the state among those that are written
 * @param edit the edit
 */
record FamilyEdit(int member, Edit edit) {}
