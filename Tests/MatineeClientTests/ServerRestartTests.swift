import MatineeClient
import Testing

/// Edge 22: what apps see of a server that restarts.
@Suite(.serialized, .hangLimit) struct ServerRestartTests {
  @Test func `whoever started it has it started again, where it stood, if so wished`() async throws
  {
    var server = try await ServerThread()
    defer { server.stop() }
    var clients: [GroupWatchClient] = []
    defer { for client in clients { client.close() } }
    for name in ["Ann", "Bob"] {
      clients.append(
        try await Gathering.connect(name, to: server) { $0.reactivatesAfterServerRestart = true })
    }
    for client in clients { try await client.joinGroup(GroupID("room")) }
    for client in clients { await client.isEligible() }
    let sessions = try await Gathering(server: server, clients: clients).watch()
    let coordinator = PlaybackCoordinator(session: sessions[0])
    await coordinator.status.becomes { $0 != nil }
    try await coordinator.seek(to: .seconds(300))
    await coordinator.status.becomes { $0?.phase == .paused(at: .seconds(300)) }

    server.stop()
    // Whether the server's goodbye still left it or not: both are told as what they are.
    server = try await ServerThread(at: server.endpoint)
    for session in sessions {
      await session.state.becomes {
        switch $0 {
        case .invalidated(.ended(.serverShutdown)), .invalidated(.serverRestarted): true
        default: false
        }
      }
    }
    let again = try await clients[0].next()
    #expect(again.id != sessions[0].id && again.activity == sessions[0].activity)
    #expect(again.isLocallyInitiated)
    try await again.join()
    let status = await PlaybackCoordinator(session: again).status.becomes { $0 != nil }
    #expect(status??.phase == .paused(at: .seconds(300)))
    let other = try await clients[1].next()
    #expect(other.id == again.id)
  }
}
