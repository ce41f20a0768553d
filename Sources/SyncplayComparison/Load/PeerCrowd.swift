import EventLoops
import JSON
import Vocabulary

/// Many ``PlainPeer``s on one server, which connect a few at a time.
final class PeerCrowd {
  let loop: EventLoop
  let port: UInt16
  /// The peers that the server has answered with a Hello.
  private(set) var greeted = 0
  /// The peers that the server has disconnected.
  private(set) var lost = 0
  /// The States that all peers have received.
  private(set) var states = 0
  private var peers: [PlainPeer] = []
  private var coming: [(name: String, room: String)] = []
  private var knocking = 0
  private var parser = JSONParser(maximumBytes: PeerCrowd.lineBytesMaximum)
  private var writer = JSONWriter()

  /// The longest line, which is the protocol's own bound.
  static let lineBytesMaximum = 16 * 1024
  /// Concurrent connection attempts, within the listen backlog of either server.
  private static let knockingMaximum = 20

  init(at port: UInt16, on loop: EventLoop) {
    self.port = port
    self.loop = loop
  }

  /// Makes this many more peers join a room.
  func add(_ count: Int, to room: String) {
    let first = peers.count + coming.count
    coming += (first..<first + count).reversed().map { ("p\($0)", room) }
    knock()
  }

  func close() {
    for peer in peers { peer.close() }
    (peers, coming) = ([], [])
  }

  private func knock() {
    while knocking < Self.knockingMaximum, let next = coming.popLast() {
      knocking += 1
      do throws(EndpointError) {
        peers.append(try PlainPeer(next.name, room: next.room, in: self))
      } catch {
        knocking -= 1
        lost += 1
      }
    }
  }

  func hasGreeted(_ peer: PlainPeer) {
    greeted += 1
    knocking -= 1
    knock()
  }

  func hasLost(_ peer: PlainPeer) {
    lost += 1
    guard !peer.isGreeted else { return }
    knocking -= 1
    knock()
  }

  func countState() { states += 1 }

  /// How often any peer received no State for over two seconds.
  var silences: Int {
    let now = loop.now
    return peers.reduce(0) { $0 + $1.silences.count(at: now) }
  }

  /// A client's answer to a State: it acknowledges any change, and is at the room's position.
  func answer(to line: Span<UInt8>) -> SharedBytes? {
    let seen: (stamp: Double?, position: Double, isPaused: Bool, change: Int64?)
    do throws(DecodingFlaw) {
      seen = try parser.parse(line) { (object) throws(DecodingFlaw) in
        let state = try object.object("State")
        let play = try state.object("playstate")
        return (
          try state.optionalObject("ping")?.optionalDouble("latencyCalculation"),
          try play.optionalDouble("position") ?? 0, try play.optionalBool("paused") ?? true,
          try state.optionalObject("ignoringOnTheFly")?.optionalInt64("server")
        )
      }
    } catch {
      return nil
    }
    defer { writer.removeAll() }
    writer.object { line in
      line.object("State") { state in
        state.object("playstate") {
          $0.field("position", seen.position)
          $0.field("paused", seen.isPaused)
        }
        state.object("ping") { ping in
          if let stamp = seen.stamp { ping.field("latencyCalculation", stamp) }
          ping.field("clientLatencyCalculation", Double(loop.now.microseconds) / 1_000_000)
          ping.field("clientRtt", 0)
        }
        if let change = seen.change {
          state.object("ignoringOnTheFly") { $0.field("server", change) }
        }
      }
    }
    writer.endNetworkLine()
    return SharedBytes(writer.bytes)
  }
}

@available(*, unavailable)
extension PeerCrowd: Sendable {}
