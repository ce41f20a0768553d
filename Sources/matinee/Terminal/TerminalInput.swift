import EventLoops
import MatineeTerminal
import Vocabulary
import Wire

/// Typed lines and termination signals as one sequence.
///
/// A separate thread reads standard input, so that tasks can wait for lines and signals.
final class TerminalInput: Sendable {
  enum Event: Equatable, Sendable {
    case line(String)
    /// The input ended; the text describes the error, if there was one.
    case end(String?)
    /// The input, or a line of it, cannot be read, for this reason.
    case unreadable(String)
    /// The person pressed Control-C or closed the terminal, or the system asks the program to
    /// terminate.
    case interrupted
  }

  /// The events; for one reader.
  let events: AsyncStream<Event>
  private let thread: LoopThread<Reader>

  /// Starts reading.
  init() throws(UVError) {
    let backlog = TerminalBacklog()
    events = backlog.events
    thread = try LoopThread { (loop) throws(UVError) in
      try Reader(on: loop) { event in
        if !backlog.add(event), case .line(let text) = event {
          printNow(StyledLine("too many lines wait: “\(text)” is left out").styled(.plain))
        }
      }
    }
  }

  /// Waits for the next event, before the rest is read as ``events``.
  func next() async -> Event? {
    var events = events.makeAsyncIterator()
    return await events.next()
  }

  /// Waits for this duration, or until the input is closed.
  func wait(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { $0.wake(after: duration) { continuation.resume() } }
      if !isPosted { continuation.resume() }
    }
  }

  /// Stops reading, and ends all pending waits.
  ///
  /// It returns when the thread has ended, so that the process can exit.
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

  /// The longest line; it fits a verb with the longest message.
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
    // A program that nohup(1) started outlives its terminal.
    let lost = ProcessSettings.ignoresHangUp ? [] : [Signal.hangUp]
    for signal in [Signal.interrupt, .terminate] + lost {
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
      take(line)
    } onOverlongLine: {
      tell(.unreadable("a line has more than \(Self.lineBytesMaximum) bytes"))
    }
  }

  func standardInput(_ input: StandardInput, didEnd error: StreamError?) {
    // An error may have cut the line short.
    if error == nil { lines.finish { take($0) } }
    tell(.end(error.map { "\($0)" }))
  }

  private func take(_ line: Span<UInt8>) {
    var copy: [UInt8] = []
    for index in line.indices { copy.append(line[index]) }
    tell(.line(String(decoding: copy, as: UTF8.self)))
  }
}

@available(*, unavailable)
extension Reader: Sendable {}
