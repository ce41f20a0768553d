import MatineeClient
import MatineeTerminal
import Stages

/// Prints events and the results of requests to a person at a terminal.
@MainActor
final class JoinVoice {
  /// A person's request.
  private typealias Wish = @MainActor @Sendable () async throws -> Void

  /// Whether printing is off, because the person has left.
  var isSilent = false
  /// The code of the last refusal since the person's latest verb.
  private(set) var refusal: String?
  /// Whether all requests are done.
  var isIdle: Bool { waiting == 0 }
  /// Called each time a request is done.
  var onDone: (@MainActor () -> Void)?
  private let styling = TextStyling.standardOutput
  private let wishes: AsyncStream<Wish>.Continuation
  private var waiting = 0

  /// The largest backlog of requests while the server is unreachable.
  private static let limit = 1_000

  init() {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Wish.self, bufferingPolicy: .bufferingOldest(Self.limit))
    wishes = continuation
    Task { [weak self] in
      for await wish in stream { await self?.carryOut(wish) }
    }
  }

  deinit { wishes.finish() }

  /// Prints one line; control characters in other people's text cannot affect the rest of the
  /// screen.
  func say(_ line: StyledLine) {
    if !isSilent { printNow(line.styled(styling)) }
  }

  func say(_ text: String) { say(StyledLine(text)) }

  /// Clears the last refusal, because the person does something else.
  func begin() { refusal = nil }

  /// Carries out a request after all earlier ones are done, and prints why it failed.
  func attempt(_ wish: @escaping @MainActor @Sendable () async throws -> Void) {
    if case .enqueued = wishes.yield(wish) {
      waiting += 1
    } else {
      say("too much waits for the server already")
    }
  }

  /// Carries out a request at once, ahead of the backlog.
  func attemptAtOnce(_ wish: @escaping @MainActor @Sendable () async throws -> Void) {
    waiting += 1
    Task { await carryOut(wish) }
  }

  private func carryOut(_ wish: Wish) async {
    do {
      try await wish()
    } catch let error as GroupWatchError {
      refusal = error.code.description
      if error.code != .closed { say("that did not work: \(error.text)") }
    } catch let error as NotNow {
      refusal = error.code
      say("not now: \(error.text)")
    } catch {
      say("that did not work: \(error)")
    }
    waiting -= 1
    onDone?()
  }
}
