import Coordination
import EventLoops
import Journals
import Logging
import Syncplay
import Transports
import Vocabulary
import Wire

// What passes between the lobby of Syncplay's clients, their connections and the coordinator.

extension MatineeServer {
  /// The addresses it listens on for Syncplay's clients, with the ports the system chose.
  package var syncplayEndpoints: [String] { syncplay?.listeners.map(\.localEndpoint) ?? [] }

  func serve(_ configuration: SyncplayConfiguration) throws(EndpointError) {
    var service = SyncplayService(configuration.options, limits: limits, on: loop)
    let door = SyncplayDoor(to: self, configuration.options)
    for endpoint in configuration.endpoints { try service.listen(at: endpoint, delegate: door) }
    syncplay = service
    take(lobby: .recovered(coordinator.groups(ofSessionsBegunBy: SyncplayLobby.keeper)))
  }

  // MARK: Connections

  func admitToLobby(_ stream: ByteStream, delegate: any LineConnectionDelegate) {
    guard let syncplay else { return stream.close() }
    let address = stream.peerHost
    guard let id = admit(stream, to: syncplay.connections, inLobby: true, delegate: delegate)
    else { return }
    // The lobby first, so that it knows whom the coordinator may refuse.
    take(lobby: .connected(id, address: address))
    take(.connected(id))
  }

  // MARK: What the lobby asks for

  func perform(_ output: SyncplayLobby.Output) {
    switch output {
    case .tell(let peer, let message): take(.received(peer, message))
    case .connect(let peer): take(.connected(peer))
    case .disconnect(let peer):
      // A keeper has no connection that would give its place back.
      table.remove(peer)
      take(.disconnected(peer))
    case .state(let state, let peer): deliver(syncplay?.encode(state), to: .one(peer))
    case .send(let message, let peers): deliver(syncplay?.encode(message), to: peers)
    case .post(let news, let peers): deliver(syncplay?.encode(news), to: peers, patient: true)
    case .close(let peer, let fault): hangUp(on: peer, fault)
    case .count(let versions): statistics?.record(versions, at: now)
    case .reserve(let room, let device):
      let peer = table.reserve(inLobby: true)
      take(lobby: .reserved(peer, room: room, resuming: coordinator.resumption(of: device)))
    }
  }

  private func deliver(_ bytes: SharedBytes?, to peers: Peers, patient: Bool = false) {
    guard let bytes else { return }
    for peer in peers { table[peer]?.enqueue(bytes, patient: patient) }
  }

  private func hangUp(on peer: PeerID, _ fault: SyncplayFault?) {
    let lastWord = fault.flatMap { syncplay?.encode(.error($0.message)) }
    // Quoted and cut: it may hold what the client said.
    let reason = fault?.message.prefix(200).debugDescription ?? "silence, or the server stops"
    hangUp(on: peer, after: lastWord, ["reason": "\(reason)"])
  }

  // MARK: What the coordinator says to the lobby

  /// Has the lobby hear what is said to its peers.
  ///
  /// - Returns: the others.
  func tellLobby(_ message: ServerMessage, among peers: [PeerID]) -> [PeerID] {
    // Mostly all are of one kind: then nothing is made anew for a message.
    let count = peers.count { table.isInLobby($0) }
    guard count > 0 else { return peers }
    guard count < peers.count else {
      take(lobby: .heard(message, by: .many(peers)))
      return []
    }
    var others: [PeerID] = []
    var own: [PeerID] = []
    for peer in peers {
      if table.isInLobby(peer) { own.append(peer) } else { others.append(peer) }
    }
    take(lobby: .heard(message, by: .many(own)))
    return others
  }

  /// The coordinator wants a peer of the lobby no longer.
  func refuse(_ peer: PeerID, _ error: ProtocolError) {
    if table[peer] == nil { table.remove(peer) }
    take(lobby: .refused(peer, error))
  }
}
