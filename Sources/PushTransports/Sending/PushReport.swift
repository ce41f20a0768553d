/// How one attempt for one push ended.
package struct PushReport: Equatable, Sendable {
  /// Which push.
  package let id: PushID
  /// How its attempt ended.
  package let outcome: PushOutcome
}
