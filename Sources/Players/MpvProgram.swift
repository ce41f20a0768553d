import EventLoops
import Vocabulary

/// The process of an ``MpvPlayer``: started once, and watched until it has exited.
///
/// libuv keeps this object alive through its process, so that the exited process is reaped even
/// after its player was closed.
final class MpvProgram: ChildProcessDelegate {
  private let loop: EventLoop
  private var process: ChildProcess?
  private var timer: LoopTimer?
  private var onExit: ((PlayerCloseReason) -> Void)?

  /// How long mpv may take to quit; a slow network file can delay it.
  private static let quitDeadline = Duration.seconds(2)

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Starts mpv and returns the stream to it.
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

  /// Kills mpv unless it exits soon.
  func expectExit() {
    guard process != nil, timer == nil else { return }
    // The closure keeps this object alive, because it must outlive its player until then.
    let timer = LoopTimer(on: loop) { self.process?.kill(.kill) }
    self.timer = timer
    timer.fire(at: loop.now + Self.quitDeadline)
  }

  /// Stops reporting, and ends mpv by closing its stream.
  func close() {
    onExit = nil
    process?.socket?.close()
    expectExit()
  }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {}

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
        .failed(
          reason: "mpv exited with code \(code); it must be 0.33 or later: run it to see its error")
      )
    case .killed(let signal): onExit?(.failed(reason: "mpv was killed by \(signal)"))
    }
  }
}

@available(*, unavailable)
extension MpvProgram: Sendable {}

/// How mpv is started.
package struct MpvSettings: Equatable, Sendable {
  /// Where mpv plays.
  package enum Output: Equatable, Sendable {
    /// Nowhere: it keeps time without a display or a sound card.
    case headless
    /// In a window with this title, on the desktop's display and sound device.
    case window(title: String)
  }

  /// The program, mpv 0.33 or later: a path, or a name to look up in `PATH`.
  package var executable = "mpv"
  package var output = Output.headless
  /// Options after all others, such as `--hwdec=auto`; they override ours.
  package var extraArguments: [String] = []

  /// mpv from `PATH`, headless.
  package init() {}

  /// The arguments, without the program's name.
  ///
  /// - Parameter socketPath: where mpv accepts other connections, such as from a ``PlayheadProbe``.
  func arguments(socketPath: String) -> [String] {
    var arguments = [
      // A person's configuration could pause, skip or resume on its own.
      "--no-config", "--no-terminal",
      // mpv opens what peers ask to play itself, and never through a program that it calls.
      "--ytdl=no",
      "--idle=yes", "--pause", "--keep-open=yes", "--hr-seek=yes",
      // Enabled only at speeds that a person chose: see `MpvDialogue`.
      "--audio-pitch-correction=no",
      // The connection to us. mpv quits when it ends, so mpv cannot outlive us.
      "--input-ipc-client=fd://\(ChildProcess.socketDescriptor)",
      "--input-ipc-server=\(socketPath)",
    ]
    switch output {
    case .headless: arguments += ["--vo=null", "--ao=null"]
    case .window(let title):
      // mpv expands `${...}` in titles, so a dollar sign is doubled.
      let title = title.split(separator: "$", omittingEmptySubsequences: false)
      arguments += ["--force-window=yes", "--title=\(title.joined(separator: "$$"))"]
    }
    return arguments + extraArguments
  }
}
