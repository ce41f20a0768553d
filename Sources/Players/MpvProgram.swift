import EventLoops
import Vocabulary

/// The program behind an ``MpvPlayer``: started once, and watched until it is gone.
///
/// libuv holds it through its process until then, so that the system is rid of the program even
/// after its player was closed.
final class MpvProgram: ChildProcessDelegate {
  private let loop: EventLoop
  private var process: ChildProcess?
  private var timer: LoopTimer?
  private var onExit: ((PlayerCloseReason) -> Void)?

  /// How long mpv may take to quit; a slow network file can hold it up.
  private static let quitDeadline = Duration.seconds(2)

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Starts it, and gives the stream between it and us.
  func start(
    _ executable: String, _ arguments: [String], onExit: @escaping (PlayerCloseReason) -> Void
  ) throws(UVError) -> ByteStream {
    let process = try ChildProcess(
      executable: executable, arguments: arguments, output: .ignored,
      errorOutput: .ignored, hasSocket: true, on: loop, delegate: self)
    self.process = process
    self.onExit = onExit
    guard let stream = process.socket else { throw UVError("spawn", .invalidArgument) }
    return stream
  }

  /// Ends it by force unless it exits soon.
  func expectExit() {
    guard process != nil, timer == nil else { return }
    // Held by the closure: it must outlive its player until then.
    let timer = LoopTimer(on: loop) { self.process?.kill(.kill) }
    self.timer = timer
    timer.fire(at: loop.now + Self.quitDeadline)
  }

  /// Tells no one any more, and sees to its end, by that of its stream.
  func close() {
    onExit = nil
    process?.socket?.close()
    expectExit()
  }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {}

  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    let onExit = onExit
    self.onExit = nil
    process.close()
    self.process = nil
    timer?.close()
    timer = nil
    switch ending {
    case .exited(code: 0): onExit?(.quit)
    case .exited(let code):
      onExit?(
        .failed(reason: "mpv exited with code \(code); it must be 0.33 or later: run it by hand"))
    case .killed(let signal): onExit?(.failed(reason: "mpv was ended by \(signal)"))
    }
  }
}

@available(*, unavailable)
extension MpvProgram: Sendable {}

/// How mpv is started.
package struct MpvSettings: Equatable, Sendable {
  /// Where a person sees and hears the player.
  package enum Output: Equatable, Sendable {
    /// Nowhere: the player keeps time, and needs no display and no sound card.
    case headless
    /// In a window with that title, on the desktop's display and sound.
    case window(title: String)
  }

  /// The program, mpv 0.33 or later: a path, or a name to look for in `PATH`.
  package var executable = "mpv"
  /// Where a person sees and hears it.
  package var output = Output.headless
  /// Options after all others, as in `--hwdec=auto`; they win over ours.
  package var extraArguments: [String] = []

  /// mpv from `PATH`, headless.
  package init() {}

  /// The command line, without the program's name.
  ///
  /// - Parameter socketPath: where mpv listens for others than us, such as a ``PlayheadProbe``.
  func arguments(socketPath: String) -> [String] {
    var arguments = [
      // Ours alone: a person's configuration could pause, skip or resume by itself.
      "--no-config", "--no-terminal",
      // What peers ask to play is opened by mpv itself, never by a program it calls.
      "--ytdl=no",
      "--idle=yes", "--pause", "--keep-open=yes", "--hr-seek=yes",
      // Switched on for speeds that people choose: see `MpvDialogue`.
      "--audio-pitch-correction=no",
      // Our connection, and mpv quits when that ends: it cannot outlive us.
      "--input-ipc-client=fd://\(ChildProcess.socketDescriptor)",
      "--input-ipc-server=\(socketPath)",
    ]
    switch output {
    case .headless: arguments += ["--vo=null", "--ao=null"]
    case .window(let title):
      // mpv expands `${...}` in titles; a dollar sign is written twice.
      let title = title.split(separator: "$", omittingEmptySubsequences: false)
      arguments += ["--force-window=yes", "--title=\(title.joined(separator: "$$"))"]
    }
    return arguments + extraArguments
  }
}
