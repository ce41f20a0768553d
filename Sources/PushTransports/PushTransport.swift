/// A way to installations that have no connection of their own: a push service.
///
/// It makes one attempt and says how it ended; when to try again, and how often, is the caller's
/// to remember, so that a restart forgets nothing. No attempt lasts longer than the transport's
/// deadline.
package protocol PushTransport: Sendable {
  /// Who would be asked to deliver to this address: pushes to the same one share a part of the
  /// connections; `nil` where the transport does not go there.
  func service(for address: PushAddress) -> String?

  /// Makes one attempt.
  ///
  /// If the task is cancelled meanwhile, it returns soon; the push may have arrived then.
  func send(_ message: PushMessage) async -> PushOutcome

  /// Closes its connections; attempts under way end. A second call does nothing.
  func stop() async
}
