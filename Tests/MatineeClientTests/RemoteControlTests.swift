import EventLoops
import MatineeClient
import Scenarios
import Stages
import Testing
import Vocabulary

/// A client that plays nothing steers, and has the group's time.
@Suite(.serialized, .hangLimit) struct RemoteControlTests {
  @Test func `who plays nothing steers, and nobody waits for them`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let tv = try await Gathering.connect("Ann", to: server)
    let remote = try await Gathering.connect("Bob", to: server) { $0.playing = .nothing }
    let room = Gathering(server: server, clients: [tv, remote])
    defer { for client in room.clients { client.close() } }
    for client in room.clients { try await client.joinGroup(GroupID("room")) }
    for client in room.clients { await client.isEligible() }
    let sessions = try await room.watch()
    let coordinator = PlaybackCoordinator(session: sessions[1])
    try await coordinator.seek(to: .seconds(60))
    let began = ContinuousClock.now
    try await coordinator.play(rate: 1.25)
    await PlaybackCoordinator(session: sessions[0]).status.becomes {
      if case .playing? = $0?.phase { $0?.rate == 1.25 } else { false }
    }
    await coordinator.status.becomes {
      if case .playing? = $0?.phase { true } else { false }
    }
    let position = try #require(await coordinator.expectedItemTime())
    #expect(
      position >= .seconds(60) && position <= .seconds(60) + (ContinuousClock.now - began) * 1.25)
    try await sessions[0].update(activity: Film(title: "Nosferatu"))
    await coordinator.status.becomes { $0?.item == ItemID("Nosferatu") }
    try await coordinator.seek(to: .seconds(10))
    try await coordinator.pause()
    await PlaybackCoordinator(session: sessions[0]).status.becomes {
      $0?.item == ItemID("Nosferatu") && $0?.phase == .paused(at: .seconds(10))
    }
  }

  @Test func `whoever has a slow network is told that they may be apart`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let network = try LoopThread { (loop) throws(UVError) in
      SlowNetwork(to: server.endpoint, on: loop)
    }
    defer {
      network.stop()
      network.join()
    }
    let port = await withCheckedContinuation { continuation in
      network.mailbox.post { continuation.resume(returning: $0.port) }
    }
    var options = ClientOptions()
    options.connectTimeout = .seconds(900)
    let ann = try await GroupWatchClient.connect(
      to: Endpoint(host: "127.0.0.1", port: try #require(port)),
      as: Identity(user: UserID("ann"), device: DeviceID("ann-1"), name: "Ann"), options: options)
    defer { ann.close() }
    await ann.isClockPoor.becomes { $0 }
    network.mailbox.post { $0.recover() }
    await ann.isClockPoor.becomes { !$0 }
  }

  @Test func `everyone has the same time`() async throws {
    try await Gathering.with { room in
      var first = try #require(await room.ann.groupClock())
      // The first round trips may be slow on a busy machine.
      let end = ContinuousClock.now + .seconds(180)
      while first.uncertainty >= .milliseconds(250) || first.isPoor, ContinuousClock.now < end {
        first = try #require(await room.ann.groupClock())
      }
      let second = try #require(await room.bob.groupClock())
      #expect(first.uncertainty < .milliseconds(250) && !first.isPoor)
      // Good until told: nobody tells a clock that was never poor.
      await room.ann.isClockPoor.becomes { !$0 }
      let moment = ContinuousClock.now
      let apart = first.instant(at: moment) - second.instant(at: moment)
      #expect(abs(apart.inSeconds) <= (first.uncertainty + second.uncertainty).inSeconds)
      let later = first.now() + .seconds(5)
      let due = first.hostInstant(for: later)
      #expect(abs((first.instant(at: due) - later).inSeconds) < 0.001)
      #expect(due > moment + .seconds(4) && due < ContinuousClock.now + .seconds(6))
    }
  }
}

/// A network between one client and a server that is very slow at first.
///
/// Confined to its loop's thread.
private final class SlowNetwork {
  private let proxy: DelayProxy?

  init(to server: MatineeClient.Endpoint, on loop: EventLoop) {
    do throws(EndpointError) {
      proxy = try DelayProxy(
        to: server.host, [server.port], NetworkConditions(delay: .milliseconds(400)), seed: 1,
        on: loop)
    } catch {
      Issue.record("\(error)")
      proxy = nil
    }
  }

  var port: UInt16? { proxy?.localPort }

  func recover() { proxy?.conditions = NetworkConditions(delay: .milliseconds(2)) }
}

@available(*, unavailable)
extension SlowNetwork: Sendable {}
