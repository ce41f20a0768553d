import EventLoops
import Vocabulary
import Wire

/// Hears what a server says to one client, and counts the silences in it.
///
/// Confined to its loop's thread.
final class StateWatch {
  private let loop: EventLoop
  private var splitter = LineSplitter(
    maximumLineBytes: PeerCrowd.lineBytesMaximum, endingWith: .carriageReturnLineFeed)
  private var counted = StateSilences()

  init(on loop: EventLoop) { self.loop = loop }

  /// How many there were, with one that goes on.
  var silences: Int { counted.count(at: loop.now) }

  func take(_ bytes: Span<UInt8>) {
    splitter.split(bytes) { line in
      switch ServerLine(line) {
      // Who is greeted again heard nothing meanwhile, and is to hear something soon.
      case .state, .greeting: counted.noteState(at: loop.now)
      case .other: break
      }
    } onOverlongLine: {
      // No State.
    }
  }

  /// The connection ends, as somebody wants it.
  func noteEnd() {
    counted.noteEnd(at: loop.now)
    splitter = LineSplitter(
      maximumLineBytes: PeerCrowd.lineBytesMaximum, endingWith: .carriageReturnLineFeed)
  }
}

@available(*, unavailable)
extension StateWatch: Sendable {}
