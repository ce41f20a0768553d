import EventLoops
import JSON
import Vocabulary
import Wire

/// A connection that speaks Syncplay's protocol without a player: it sends a Hello, and answers
/// every State like a client whose player is at the room's position.
final class PlainPeer: ByteStreamDelegate {
  private(set) var isGreeted = false
  /// How often it received no State for too long.
  private(set) var silences = StateSilences()
  private let hello: String
  private unowned let crowd: PeerCrowd
  private var attempt: ConnectAttempt?
  private var stream: ByteStream?
  private var splitter = LineSplitter(maximumLineBytes: PeerCrowd.lineBytesMaximum)

  init(_ name: String, room: String, in crowd: PeerCrowd) throws(EndpointError) {
    self.crowd = crowd
    hello = Self.hello(name, room)
    attempt = try ConnectAttempt(host: "127.0.0.1", port: crowd.port, on: crowd.loop) {
      [weak self] in self?.begin($0)
    }
  }

  func close() {
    attempt?.cancel()
    attempt = nil
    stream?.close()
    stream = nil
  }

  private func begin(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    do {
      let stream = try result.get()
      self.stream = stream
      try stream.start(self)
      try stream.write(SharedBytes(hello))
    } catch {
      fail()
    }
  }

  private func fail() {
    close()
    crowd.hasLost(self)
  }

  /// The Hello of Debian's client, with all its features.
  private static func hello(_ name: String, _ room: String) -> String {
    var writer = JSONWriter()
    writer.object { line in
      line.object("Hello") { hello in
        hello.field("username", name)
        hello.object("room") { $0.field("name", room) }
        hello.field("version", "1.2.255")
        hello.field("realversion", "1.6.9")
        hello.object("features") { features in
          for name in ["sharedPlaylists", "chat", "featureList", "readiness", "managedRooms"] {
            features.field(name, true)
          }
        }
      }
    }
    writer.endNetworkLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: Received lines

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    var splitter = LineSplitter(maximumLineBytes: PeerCrowd.lineBytesMaximum)
    swap(&splitter, &self.splitter)
    splitter.split(bytes) { line in
      take(line)
    } onOverlongLine: {
      // Overlong lines are lists of users in a large room, which are not needed here.
    }
    self.splitter = splitter
  }

  private func take(_ line: Span<UInt8>) {
    switch ServerLine(line) {
    case .state:
      crowd.countState()
      silences.noteState(at: crowd.loop.now)
      guard let answer = crowd.answer(to: line) else { return }
      do throws(StreamError) { try stream?.write(answer) } catch { fail() }
    case .greeting where !isGreeted:
      isGreeted = true
      crowd.hasGreeted(self)
    case .greeting, .other: break
    }
  }

  func byteStreamDidEnd(_ stream: ByteStream) { fail() }

  func byteStream(_ stream: ByteStream, didFail error: StreamError) { fail() }
}

@available(*, unavailable)
extension PlainPeer: Sendable {}
