import MatineeClient
import Observation
import Testing

/// A sequence ended before what was waited for came.
struct Ended: Error {}

/// Waits until a screen shows what is wanted, and returns it.
///
/// - Parameter value: reads the screen; `nil` while it does not show it.
@MainActor @discardableResult
func appears<Value: Sendable>(
  _ value: @escaping @MainActor @Sendable () -> Value?
) async throws -> Value {
  for await value in Observations({ value() }) {
    if let value { return value }
  }
  throw Ended()
}

/// Waits until a screen is as wanted.
@MainActor func becomesTrue(_ isTrue: @escaping @MainActor @Sendable () -> Bool) async throws {
  try await appears { isTrue() ? true : nil }
}

extension Observed {
  /// Waits until the value is as wanted, and returns it.
  @discardableResult
  func becomes(_ isWanted: @Sendable (Value) -> Bool) async throws -> Value {
    for await value in values where isWanted(value) { return value }
    throw Ended()
  }
}

extension InAppMessages {
  /// Waits until the server keeps a campaign from the person for this reason.
  ///
  /// It asks again: reports about messages travel beside requests, and may come after one.
  func refuses(_ campaign: String, because refusal: InAppMessage.Refusal) async throws {
    while try await explain(CampaignID(campaign)).refusal != refusal {
      try Task.checkCancellation()
    }
  }
}

extension AsyncStream<MessageEvent> {
  /// Waits for the next event of one of these names, and returns it.
  func next(_ names: String...) async throws -> MessageEvent {
    for await event in self where names.contains(event.name) { return event }
    throw Ended()
  }
}

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
