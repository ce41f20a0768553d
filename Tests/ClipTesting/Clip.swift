package import EventLoops
internal import Glibc
internal import LoopTesting

/// A test video of 20 seconds at 25 frames a second, made by ffmpeg once for all tests.
package struct Clip {
  /// The file with sound.
  package let withSound: String
  /// The file with the same picture, without sound.
  package let silent: String
  private let directory: PrivateDirectory

  /// ffmpeg failed.
  package struct NotMade: Error {
    /// How ffmpeg ended.
    package let ending: ChildProcess.Ending
  }

  /// The shared clip.
  package static func shared() throws -> Clip { try made.get() }

  private static let made = Result { () throws -> Clip in
    let directory = try PrivateDirectory(prefix: "matinee-clip-")
    let clip = Clip(
      withSound: directory.path(of: "sound.mp4"), silent: directory.path(of: "silent.mp4"),
      directory: directory)
    atexit { Clip.remove() }
    try TestLoop.run { test in
      let picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=20"]
      let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=20"]
      let video = ["-c:v", "libx264", "-preset", "ultrafast", "-movflags", "+faststart"]
      try ffmpeg(picture + sound + video + ["-c:a", "aac", clip.withSound], on: test)
      try ffmpeg(["-i", clip.withSound, "-an", "-c:v", "copy", clip.silent], on: test)
    }
    return clip
  }

  private static func remove() {
    if case .success(let clip) = made {
      clip.directory.remove(files: ["sound.mp4", "silent.mp4"])
    }
  }
}

/// Runs ffmpeg, and throws unless it succeeds.
func ffmpeg(_ arguments: [String], on test: TestLoop) throws {
  let end = ProgramEnd()
  let child = try ChildProcess(
    executable: "ffmpeg", arguments: ["-v", "error", "-nostdin"] + arguments, on: test.loop,
    delegate: end)
  defer { child.close() }
  try test.run { end.ending != nil }
  if let ending = end.ending, ending != .exited(code: 0) { throw Clip.NotMade(ending: ending) }
}

/// Records how a program ended, and ignores its output.
package final class ProgramEnd: ChildProcessDelegate {
  /// How it ended; `nil` while it runs.
  package var ending: ChildProcess.Ending?

  package init() {}

  package func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {}

  package func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

  /// Records the end.
  package func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
  }
}

@available(*, unavailable)
extension ProgramEnd: Sendable {}
