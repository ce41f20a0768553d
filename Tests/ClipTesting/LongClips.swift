internal import EventLoops
internal import Glibc
internal import LoopTesting

/// Two films of ten minutes with sound and a small picture at five frames a second, long enough for
/// tests that pause for a while.
package struct LongClips {
  private let place: PrivateDirectory
  /// The names of the files.
  package let names = ["first.mp4", "second.mp4"]

  /// The directory of both files.
  package var directory: String { place.path }

  /// The paths of the files.
  package var paths: [String] { names.map { "\(directory)/\($0)" } }

  /// The shared films.
  package static func shared() throws -> LongClips { try made.get() }

  private static let made = Result { () throws -> LongClips in
    let clips = LongClips(place: try PrivateDirectory(prefix: "matinee-clip-"))
    atexit { LongClips.remove() }
    try TestLoop.run { test in
      let picture = ["-f", "lavfi", "-i", "testsrc2=size=64x36:rate=5:duration=600"]
      let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=8000:duration=600"]
      let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "5", "-c:a", "aac"]
      try ffmpeg(picture + sound + coding + [clips.paths[0]], on: test)
      // A different length, so that clients can distinguish the films.
      try ffmpeg(["-i", clips.paths[0], "-t", "590", "-c", "copy", clips.paths[1]], on: test)
    }
    return clips
  }

  private static func remove() {
    if case .success(let clips) = made { clips.place.remove(files: clips.names) }
  }
}
