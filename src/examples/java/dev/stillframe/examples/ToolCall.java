package dev.stillframe.examples;

/** A call that the assistant asks for, with its arguments as the model wrote them. */
record ToolCall(String id, String name, String arguments) {

  /** Returns the state key that holds this call until its result arrives. */
  String openKey() {
    return openKey(id);
  }

  static String openKey(String id) {
    return Step.OPEN_CALL_PREFIX + id;
  }
}
