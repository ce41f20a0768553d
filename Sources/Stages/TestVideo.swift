package import EventLoops
import Foundation
import Vocabulary

/// The video for demonstrations and comparisons.
///
/// It shows a test picture with a running clock at 25 frames a second, with a tone.
///
/// ffmpeg makes it once, and it is kept in the user's cache.
package final class TestVideo: ChildProcessDelegate {
  /// The video could not be made.
  package struct NotMade: Error, CustomStringConvertible {
    /// The reason, and what to do.
    package let description: String
  }

  private let loop: EventLoop
  private var words = ""
  private var ending: ChildProcess.Ending?

  /// The number of characters at the end of ffmpeg's error output that are kept to explain a
  /// failure.
  private static let wordsMaximum = 2048

  private init(on loop: EventLoop) { self.loop = loop }

  /// The path of a video of this length; making a missing video takes some seconds.
  package static func path(of length: Duration, on loop: EventLoop) throws -> String {
    let directory = try self.directory
    let seconds = Int((length.microseconds + 999_999) / 1_000_000)
    let file = directory.appending(path: "test-picture-\(seconds)-seconds.mp4")
    if FileManager.default.fileExists(atPath: file.path()) { return file.path() }
    // The unfinished file has a unique name, because another program may be making the same video.
    let unfinished = directory.appending(path: "\(UUID().uuidString).mp4")
    try TestVideo(on: loop).make(seconds, unfinished.path())
    do {
      try FileManager.default.moveItem(at: unfinished, to: file)
    } catch  where FileManager.default.fileExists(atPath: file.path()) {
      // The other program finished first; both files are the same.
      try FileManager.default.removeItem(at: unfinished)
    }
    return file.path()
  }

  private static var directory: URL {
    get throws {
      let variables = ProcessInfo.processInfo.environment
      let home = variables["HOME"].map { URL(filePath: $0).appending(path: ".cache") }
      let cache = variables["XDG_CACHE_HOME"].map { URL(filePath: $0) } ?? home
      let parent = cache ?? FileManager.default.temporaryDirectory
      let directory = parent.appending(path: "matinee")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      return directory
    }
  }

  private func make(_ seconds: Int, _ path: String) throws {
    let process: ChildProcess
    do throws(UVError) {
      process = try ChildProcess(
        executable: "ffmpeg", arguments: Self.arguments(seconds, path), output: .ignored,
        errorOutput: .piped, on: loop, delegate: self)
    } catch {
      throw NotMade(description: "ffmpeg cannot be started (\(error)); scripts/setup installs it")
    }
    defer { process.close() }
    while ending == nil { loop.run() }
    guard ending == .exited(code: 0) else {
      throw NotMade(description: "ffmpeg did not make the test video: \(words)")
    }
  }

  private static func arguments(_ seconds: Int, _ path: String) -> [String] {
    [
      "-v", "error", "-nostdin", "-y",
      "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=\(seconds)",
      "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=\(seconds)",
      // One key frame a second, as in videos for streaming.
      "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "25",
      "-c:a", "aac", "-b:a", "96k", "-movflags", "+faststart", path,
    ]
  }

  package func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    words.append(bytes, keepingLast: Self.wordsMaximum)
  }

  package func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

  package func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
    loop.stop()
  }
}

@available(*, unavailable)
extension TestVideo: Sendable {}
