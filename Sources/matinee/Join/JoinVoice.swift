import MatineeClient

/// Tells a person at a terminal what happens, and what became of what they asked for.
@MainActor
final class JoinVoice {
  /// A wish that cannot be asked for now, by the code that conditions know.
  struct NotNow: Error {
    let code: String

    init(_ code: String) { self.code = code }
  }

  /// What a person wants done.
  private typealias Wish = @MainActor @Sendable () async throws -> Void

  /// Nothing is told any more: the person has gone.
  var isSilent = false
  /// The code of what was refused since the person last did something.
  private(set) var refusal: String?
  /// Whether all that was attempted is done.
  var isIdle: Bool { waiting == 0 }
  /// Told each time that something was done.
  var onDone: (@MainActor () -> Void)?
  private let styling = TextStyling.standardOutput
  private let wishes: AsyncStream<Wish>.Continuation
  private var waiting = 0

  /// As many wishes may wait for a server that is away.
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

  /// Prints one line: what others wrote in it cannot write elsewhere on the screen.
  func say(_ line: StyledLine) {
    if !isSilent { printNow(line.styled(styling)) }
  }

  func say(_ text: String) { say(StyledLine(text)) }

  /// The person does something else: earlier refusals are no news.
  func begin() { refusal = nil }

  /// Carries out what the person wants once all before it is done, and tells why it did not work.
  func attempt(_ wish: @escaping @MainActor @Sendable () async throws -> Void) {
    if case .enqueued = wishes.yield(wish) {
      waiting += 1
    } else {
      say("too much waits for the server already")
    }
  }

  /// Carries out what the person wants, past all that waits.
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
      say("not now: \(error.code)")
    } catch {
      say("that did not work: \(error)")
    }
    waiting -= 1
    onDone?()
  }
}

extension GroupWatchError {
  /// What was wrong, and what to do about it.
  var text: String { "\(message); \(advice)" }
}
