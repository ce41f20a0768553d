import Clusters
import Vocabulary
import Wire

/// A server in front, of a simulated cluster: the real end of a link, and connections.
struct SimulatedFront: Sendable {
  private var link: FrontLink
  private var peers = PeerNumbers()
  private var lastSlot: UInt32 = 0
  /// Lines longer than that are not said to anybody.
  private let longestLine: Int

  init(_ limits: Limits, named id: ServerID) {
    link = FrontLink(of: id, version: "simulated", limits)
    longestLine = limits.outboundBytes
  }

  mutating func follow(isThere: Bool) -> [NodeEffect] { carryOut(link.follow(isThere: isThere)) }

  mutating func didConnect() { link.didConnect() }

  mutating func didLoseLink() -> [NodeEffect] {
    // A connection that was never there is tried again at the next beat.
    let outputs = link.didBreak("the connection is over")
    if outputs.isEmpty { link.didFail() }
    return carryOut(outputs)
  }

  mutating func hear(_ line: [UInt8]) -> [NodeEffect] {
    carryOut(link.hear(line.span), hearing: line)
  }

  mutating func beat() -> [NodeEffect] { carryOut(link.beat()) }

  mutating func stop() -> [NodeEffect] { carryOut(link.stop()) }

  /// Sends one of the people here to another server; `nil` once nobody is left.
  mutating func sendOneBack() -> [NodeEffect]? {
    peers.first.map { carryOut(link.dismiss($0)) }
  }

  mutating func accept(_ connection: Int, at now: Instant) -> [NodeEffect] {
    lastSlot += 1
    let peer = PeerID(slot: lastSlot, generation: 0)
    peers.add(peer, connection)
    // A network with people behind it, each with an address of their own.
    let host = "10.\(lastSlot >> 16 & 255).\(lastSlot >> 8 & 255).\(lastSlot & 255)"
    return carryOut(link.connect(peer, LegArrival(host: host), at: now))
  }

  mutating func receive(_ message: ClientMessage, over connection: Int) -> [NodeEffect] {
    guard let peer = peers[connection] else { return [] }
    return carryOut(link.receive(encode(message).dropLast(), from: peer))
  }

  mutating func lose(_ connection: Int) -> [NodeEffect] {
    guard let peer = peers.remove(connection) else { return [] }
    return carryOut(link.lose(peer))
  }

  private mutating func carryOut(
    _ outputs: [FrontLink.Output], hearing line: [UInt8] = []
  ) -> [NodeEffect] {
    var effects: [NodeEffect] = []
    for output in outputs {
      switch output {
      case .connect: effects.append(.linkUp)
      case .disconnect: effects.append(.closeLinkUp)
      case .send(let line): effects.append(.sayUp(line))
      case .tell(let peers, let start, _):
        guard let message = message(in: line[start...]) else { break }
        effects += peers.compactMap { self.peers.connection(of: $0) }.map {
          .send(message, over: $0)
        }
      case .close(let peer, let start):
        effects += close(peer, after: start.flatMap { message(in: line[$0...]) })
      case .shut(let peer), .turnAway(let peer): effects += close(peer, after: nil)
      case .sendBack(let peer):
        effects += close(peer, after: .closing(ProtocolError(.shuttingDown)))
      case .refuse(let peer): effects += close(peer, after: .closing(ProtocolError(.lineTooLong)))
      case .drain: effects.append(.drain)
      // Simulated people neither encrypt nor watch films, and their lines wait in the network.
      case .encrypt, .charge, .answer, .giveUp, .pauseReading, .resumeReading, .linked, .broken:
        break
      }
    }
    return effects
  }

  private mutating func close(_ peer: PeerID, after message: ServerMessage?) -> [NodeEffect] {
    guard let connection = peers.connection(of: peer) else { return [] }
    peers.remove(connection)
    return (message.map { [.send($0, over: connection)] } ?? []) + [.close(connection)]
  }

  private func message(in line: ArraySlice<UInt8>) -> ServerMessage? {
    var decoder = ServerLineDecoder(maximumBytes: longestLine)
    do throws(MalformedLine) {
      return try decoder.decode(Array(line).span)
    } catch {
      preconditionFailure("a server said what no client can read: \(error)")
    }
  }
}
