import EventLoops
import Foundation
import Vocabulary

/// A program that the kernel kills when this process ends for any reason.
///
/// It uses prctl(2) with `PR_SET_PDEATHSIG`, set by setpriv(1). Confined to its loop's thread;
/// libuv retains it until the program has ended, which ``end(by:)`` causes.
final class BoundProgram: ChildProcessDelegate {
  /// The end of its standard output and standard error.
  private(set) var words = ""
  private(set) var ending: ChildProcess.Ending?
  private let loop: EventLoop
  private var process: ChildProcess?
  private var alarm: LoopTimer?
  private var onChange: (() -> Void)?

  /// How many bytes of output are kept: some minutes of a client's notices.
  private static let wordsMaximum = 64 * 1024
  /// The time that a program may take to end after it was asked to.
  ///
  /// A Syncplay client and its mpv need some 100 ms; on a busy machine, seconds.
  private static let endDeadline = Duration.seconds(5)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: a path, or a name to look for in `PATH`.
  ///   - directory: its working directory; `nil` is this process's own.
  ///   - variables: environment variables in addition to this process's.
  ///   - loop: the loop that watches it.
  ///   - onChange: called when it writes and when it ends; not after ``end(by:)``.
  init(
    _ executable: String, _ arguments: [String], in directory: String? = nil,
    variables: [String: String], on loop: EventLoop, onChange: @escaping () -> Void
  ) throws(UVError) {
    self.loop = loop
    self.onChange = onChange
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let mover = directory.map { ["env", "--chdir=\($0)"] } ?? []
    process = try ChildProcess(
      executable: Self.binder,
      arguments: ["--pdeathsig", "KILL"] + mover + [executable] + arguments,
      environment: environment, input: .piped, output: .piped, errorOutput: .piped, on: loop,
      delegate: self)
  }

  private static let binder = "setpriv"

  /// The shell command that binds a program to the process that starts it.
  static let binding = "exec \(binder) --pdeathsig KILL"

  /// Its process identifier; `nil` once it has ended.
  var id: Int32? { process?.id }

  /// Writes a line to its standard input.
  func say(_ line: String) {
    do throws(StreamError) {
      try process?.standardInput?.write(SharedBytes(line + "\n"))
    } catch {
      // The program is ending, which `onChange` reports.
    }
  }

  /// Asks it to end, and kills it if it does not end in time; a second call does nothing.
  func end(by asking: (BoundProgram) -> Void) {
    onChange = nil
    guard process != nil, alarm == nil else { return }
    asking(self)
    // The closure retains the program until the timer fires.
    let alarm = LoopTimer(on: loop) { self.process?.kill(.kill) }
    self.alarm = alarm
    alarm.fire(at: loop.now + Self.endDeadline)
  }

  /// Sends it a signal.
  func kill(_ signal: Signal) { process?.kill(signal) }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    words.append(bytes, keepingLast: Self.wordsMaximum)
    onChange?()
  }

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
    process.close()
    self.process = nil
    alarm?.close()
    alarm = nil
    let onChange = onChange
    self.onChange = nil
    onChange?()
  }
}

@available(*, unavailable)
extension BoundProgram: Sendable {}
