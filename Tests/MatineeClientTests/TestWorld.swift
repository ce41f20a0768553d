import EventLoops
import GroupSessions
import Logging
import LoopTesting
import MatineeClient
import Participation
import Playback
import Players
import Server
import Vocabulary
import Wire

/// A real server and clients over TCP, on one loop.
final class TestWorld {
  let test: TestLoop
  let client: ClientLoop
  private(set) var server: MatineeServer?
  private(set) var members: [Recorder] = []
  /// A server is owned for as long as its loop, stopped or not.
  private var stoppedServers: [MatineeServer] = []
  /// An address of its own: nobody else takes its port while its server is away.
  private let host = MatineeClient.Endpoint.unshared().host
  private let port: UInt16

  init(_ test: TestLoop) throws {
    self.test = test
    client = ClientLoop(on: test.loop)
    let server = try Self.server(on: test.loop, host: host, port: 0)
    self.server = server
    let text = server.endpoints.first ?? ""
    port = Endpoint(text)?.port ?? 0
  }

  private static func server(
    on loop: EventLoop, host: String, port: UInt16
  ) throws(EndpointError) -> MatineeServer {
    try MatineeServer(
      ServerConfiguration(endpoints: [.init(host: host, port: port)]), on: loop,
      log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  @discardableResult
  func add(_ name: String, player: Bool = true) -> Recorder {
    let settings = ClientSettings(
      user: UserID("u-" + name), device: DeviceID("d-" + name), name: name)
    let recorder = Recorder()
    let seed = UInt64(members.count + 1)
    let loop = test.loop
    let participant = LoopParticipant(
      settings, at: Endpoint(host: host, port: port), on: client, seed: seed,
      delegate: recorder
    ) { delegate in
      player ? SimulatedPlayerShell(seed: seed, on: loop, delegate: delegate) : nil
    }
    recorder.participant = participant
    members.append(recorder)
    participant.start()
    return recorder
  }

  /// Everyone in one group, and in one session of a film.
  func gather() throws {
    for member in members { member.participant?.ask(.joinGroup(GroupID("room")), tag: 1) }
    try test.run { self.members.allSatisfy { $0.value?.eligibility == .eligible } }
    let activity = GroupSessions.GroupActivity(
      type: "watch", payload: JSONText(null: ()), metadata: GroupActivityMetadata(title: "Film"),
      media: MediaItem(item: ItemID("film"), url: "film.mp4"))
    members.first?.participant?.ask(.activate(Activation(activity)), tag: 2)
    try test.run { self.members.allSatisfy { $0.value?.offer != nil } }
    for member in members {
      guard let id = member.value?.offer?.session else { continue }
      member.participant?.ask(.join(id, handoffFrom: nil), tag: 3)
    }
    try test.run { self.members.allSatisfy { $0.isOn(ItemID("film")) } }
  }

  func stopServer() {
    guard let server else { return }
    server.stop()
    stoppedServers.append(server)
    self.server = nil
  }

  /// Starts a server where the last one was.
  ///
  /// A child that another test has just forked holds the old listener until it runs its own
  /// program, so the address may be in use for a moment.
  func startServer() throws {
    var failure: EndpointError?
    try test.run(lookingEvery: .milliseconds(10)) {
      // It is asked again after it has held.
      guard self.server == nil else { return true }
      do throws(EndpointError) {
        self.server = try Self.server(on: self.test.loop, host: self.host, port: self.port)
        failure = nil
      } catch {
        failure = error
      }
      guard case .system(let error) = failure?.cause else { return true }
      return error.code != .addressInUse
    }
    if let failure { throw failure }
  }

  func close() {
    for member in members { member.participant?.close() }
    stopServer()
  }
}

extension ServerConfiguration {
  /// What anybody dismisses ends for all, unless its initiator says otherwise.
  mutating func endDismissedSessions() { dismissalPolicy = .endsForEveryone }
}

extension JSONText {
  /// The value `null`.
  init(null: Void) { self.init(validated: "null") }
}

/// Notes what a client tells.
final class Recorder: LoopParticipantDelegate {
  weak var participant: LoopParticipant?
  private(set) var updates: [Client.Update] = []

  var value: Client? { participant?.value }

  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update
  ) {
    updates.append(update)
  }

  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason) {}

  func isOn(_ item: ItemID) -> Bool {
    guard let value, let me = value.participantID else { return false }
    return value.session?.playback.participants[me]?.item == item
  }

  var player: SimulatedPlayerShell? { participant?.player as? SimulatedPlayerShell }

  func outcomes(_ tag: Int) -> [Client.Outcome] {
    updates.compactMap { if case .outcome(tag, let outcome) = $0 { outcome } else { nil } }
  }

  var invalidations: [Client.InvalidationReason] {
    updates.compactMap {
      if case .session(_, .invalidated(let reason)) = $0 { reason } else { nil }
    }
  }
}
