import GroupSessions
import Testing
import Vocabulary
import Wire

@testable import Coordination

// What a stage's clients have received, and what the server knows.

extension Stage {
  subscript(device: DeviceID) -> Client {
    peers[device].flatMap { clients[$0] } ?? Client(peer: PeerID(slot: 0, generation: 0))
  }

  /// What a device received since the last call of ``forget``.
  func inbox(_ device: DeviceID) -> [ServerMessage] { self[device].received }

  /// Empties the inboxes, not the mirrors.
  mutating func forget() {
    for peer in clients.keys { clients[peer]?.received = [] }
  }

  func session(_ id: SessionID) -> GroupSession? { coordinator.groups.rooms.sessions[id]?.session }

  func offers(_ device: DeviceID) -> [Offer] {
    inbox(device).compactMap { if case .offer(let offer) = $0 { offer } else { nil } }
  }

  func eligibilities(_ device: DeviceID) -> [Eligibility] {
    inbox(device).compactMap { if case .eligibility(let value) = $0 { value } else { nil } }
  }

  func events(_ device: DeviceID) -> [SessionEvent] {
    inbox(device).compactMap { if case .event(_, _, _, let event) = $0 { event } else { nil } }
  }

  /// Every connected participant's mirror is the server's session (I8), and nobody saw a fault.
  func checkMirrors(sourceLocation: SourceLocation = #_sourceLocation) {
    for (peer, client) in clients {
      #expect(client.faults.isEmpty, "\(peer): \(client.faults)", sourceLocation: sourceLocation)
    }
    for (_, seat) in coordinator.groups.seats {
      guard let id = seat.session, let participant = seat.participant,
        let peer = coordinator.front.devices[seat.device]?.peer,
        let session = coordinator.groups.rooms.sessions[id]?.session,
        seat.isSpectator || session.participants[participant] != nil, let client = clients[peer],
        // One who left the group while its join was being kept was refused, and is about to leave.
        seat.group == session.group
      else { continue }
      #expect(client.mirror == session, "\(seat.device)", sourceLocation: sourceLocation)
      #expect(client.participant == participant, sourceLocation: sourceLocation)
    }
  }
}
