import EventLoops
import Scenarios
import Vocabulary
import Wire

/// What a person types and the signals that end the program, as one sequence.
///
/// A thread of its own reads standard input, so that a program of tasks can wait for both.
final class TerminalInput: Sendable {
  enum Event: Equatable, Sendable {
    case line(String)
    /// No more lines come; the text says what went wrong, if anything did.
    case end(String?)
    /// Nothing can be read at all, for this reason.
    case unreadable(String)
    /// The person pressed Control-C, or the system asks the program to end.
    case interrupted
  }

  /// What comes; for one reader.
  let events: AsyncStream<Event>
  private let thread: LoopThread<Reader>

  /// Begins to read.
  init() throws(UVError) {
    // As many lines as a script may have wait for the reader; the newest ones are dropped then.
    let (events, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingOldest(ScriptedLines.limit))
    self.events = events
    thread = try LoopThread { (loop) throws(UVError) in
      try Reader(on: loop) { event in
        if case .dropped(.line(let text)) = continuation.yield(event) {
          printNow(StyledLine("too many lines wait: “\(text)” is left out").styled(.plain))
        }
      }
    }
  }

  /// Waits for that long, or until the input is closed.
  func wait(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { $0.wake(after: duration) { continuation.resume() } }
      if !isPosted { continuation.resume() }
    }
  }

  /// Reads no more, and lets all who wait go on.
  ///
  /// Returns when the thread has ended, so that the process can end.
  func close() {
    thread.mailbox.post { $0.close() }
    thread.stop()
    thread.join()
  }
}

/// The part of a terminal's input that lives on its loop's thread.
private final class Reader: StandardInputDelegate {
  private struct Sleeper {
    let timer: LoopTimer
    let wake: () -> Void
  }

  /// A verb with the longest message one may say.
  private static let lineBytesMaximum = 64 * 1024

  private let loop: EventLoop
  private let tell: (TerminalInput.Event) -> Void
  private var lines = LineSplitter(maximumLineBytes: Reader.lineBytesMaximum)
  private var input: StandardInput?
  private var signals: [SignalSource] = []
  private var sleepers: [Int: Sleeper] = [:]
  private var nextSleeper = 0

  init(on loop: EventLoop, _ tell: @escaping (TerminalInput.Event) -> Void) throws(UVError) {
    self.loop = loop
    self.tell = tell
    for signal in [Signal.interrupt, .terminate] {
      signals.append(try SignalSource(signal, on: loop) { tell(.interrupted) })
    }
    do throws(UVError) {
      input = try StandardInput(on: loop, delegate: self)
    } catch {
      tell(.unreadable("\(error)"))
    }
  }

  func wake(after duration: Duration, _ wake: @escaping () -> Void) {
    let number = nextSleeper
    nextSleeper += 1
    let timer = LoopTimer(on: loop) { [unowned self] in self.wake(number) }
    sleepers[number] = Sleeper(timer: timer, wake: wake)
    timer.fire(at: loop.now + duration)
  }

  private func wake(_ number: Int) {
    guard let sleeper = sleepers.removeValue(forKey: number) else { return }
    sleeper.timer.close()
    sleeper.wake()
  }

  func close() {
    input?.close()
    input = nil
    for number in sleepers.keys.sorted() { wake(number) }
  }

  func standardInput(_ input: StandardInput, didRead bytes: Span<UInt8>) {
    lines.split(bytes) { line in
      var copy: [UInt8] = []
      for index in line.indices { copy.append(line[index]) }
      tell(.line(String(decoding: copy, as: UTF8.self)))
    } onOverlongLine: {
      tell(.line(""))
    }
  }

  func standardInput(_ input: StandardInput, didEnd error: UVError?) {
    tell(.end(error.map { "\($0)" }))
  }
}

@available(*, unavailable)
extension Reader: Sendable {}
