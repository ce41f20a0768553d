import MatineeClient
import Testing

/// Clients that begin without a server, end with the last word said, and have a player of their own.
@Suite(.serialized, .hangLimit) struct LocalPlayerTests {
  private func lone(_ endpoint: Endpoint) throws -> GroupWatchClient {
    var options = ClientOptions()
    options.playing = .simulated
    return try GroupWatchClient(
      startingAt: endpoint,
      as: Identity(user: UserID("u-Ann"), device: DeviceID("d-Ann"), name: "Ann"),
      options: options)
  }

  @Test func `a client begins without a server, and its player plays for one person`() async throws
  {
    // Nobody listens on port 1.
    let client = try lone(Endpoint(host: "127.0.0.1", port: 1))
    defer { client.close() }
    await client.connection.becomes { if case .connecting(_?) = $0 { true } else { false } }
    #expect(await client.player.reading() == nil)
    client.player.load(MediaItem(url: "film.mp4"))
    try await client.player.comes { $0?.isRunning == false && $0?.position == .zero }
    client.player.seek(to: .seconds(60))
    client.player.play(rate: 2)
    try await client.player.comes { $0?.isRunning == true && $0?.position ?? .zero > .seconds(60) }
    client.player.pause()
    try await client.player.comes { $0?.isRunning == false }
    client.player.unload()
    try await client.player.comes { $0 == nil }
    #expect(client.player.end.current == nil)
  }

  @Test func `who leaves is gone for the others at once, and not lost`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      await room.bob.leave()
      await sessions[0].activeParticipants.becomes { $0.count == 1 }
      await room.ann.groupState.group.becomes { $0?.members.map(\.name) == ["Ann"] }
      #expect(sessions[1].state.current == .invalidated(.left))
      // Nothing is there to be left any more.
      await room.bob.leave()
    }
  }

  @Test func `a client that starts before its server goes on when that is there`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let client = try lone(server.endpoint)
    defer { client.close() }
    try await client.joinGroup(GroupID("room"))
    await client.groupState.group.becomes { $0?.id == GroupID("room") }
    #expect(client.connection.current == .online)
  }

  @Test func `what one device starts comes to the one that its person prefers`() async throws {
    try await Gathering.with(["Ann", "Bob/tv", "Bob/phone"]) { room in
      try await room.clients[1].setPreferredDevice(true)
      let delivery = try await Film(title: "Metropolis").activate(on: room.clients[2])
      let session = try await room.clients[1].next()
      #expect(delivery == .elsewhere(session.id))
    }
  }
}

extension LocalPlayer {
  /// Asks until the player says what is wanted.
  fileprivate func comes(to isWanted: (Reading?) -> Bool) async throws {
    while !isWanted(await reading()) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
