/// What befalls the server in a scenario: the word behind `server:` in a step.
package enum ServerVerb: String, Equatable, Sendable, CaseIterable {
  /// It is killed, without a word to anybody.
  case kill
  /// It is started again where it was, and goes on from its journal.
  case start
}
