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
    let cache = cache(in: ProcessInfo.processInfo.environment)
    return try path(of: length, in: cache.appending(path: "matinee"), on: loop)
  }

  /// The path of a video of this length in a directory.
  static func path(of length: Duration, in directory: URL, on loop: EventLoop) throws -> String {
    let seconds = Int((length.microseconds + 999_999) / 1_000_000)
    let name = "test-picture-\(seconds)-seconds.mp4"
    let file = directory.appending(path: name)
    let path = file.path(percentEncoded: false)
    if FileManager.default.fileExists(atPath: path) { return path }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // Made elsewhere: the system clears its temporary files if this program is interrupted, and
    // another program may be making the same video.
    let workshop = try PrivateDirectory(prefix: "matinee-video-")
    defer { workshop.remove(files: [name]) }
    try TestVideo(on: loop).make(seconds, workshop.path(of: name))
    try Data(contentsOf: URL(filePath: workshop.path(of: name))).write(to: file, options: .atomic)
    return path
  }

  /// The user's cache (XDG Base Directory Specification), or the system's directory for temporary
  /// files.
  static func cache(in variables: [String: String]) -> URL {
    // The specification says that relative paths are ignored.
    let absolute = variables.filter { $1.hasPrefix("/") }
    let home = absolute["HOME"].map { URL(filePath: $0).appending(path: ".cache") }
    let cache = absolute["XDG_CACHE_HOME"].map { URL(filePath: $0) }
    return cache ?? home ?? FileManager.default.temporaryDirectory
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

  package func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
    loop.stop()
  }
}

@available(*, unavailable)
extension TestVideo: Sendable {}
