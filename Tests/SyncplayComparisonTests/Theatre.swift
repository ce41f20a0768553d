import ClipTesting
import EventLoops
import LoopTesting
import Players
import Scenarios
import Stages
import SyncplayComparison
import Vocabulary

/// Debian's server, and Debian's clients in one of its rooms.
final class Theatre {
  let server: SyncplayReference
  let clips: LongClips
  private let test: TestLoop
  private let recorder: PlayheadRecorder
  private(set) var clients: [SyncplayClientProcess] = []

  /// How long somebody waits before they do the same again.
  private static let insistence = Duration.seconds(10)

  init(_ test: TestLoop, password: String? = nil, salt: String? = nil) throws {
    self.test = test
    clips = try LongClips.shared()
    recorder = PlayheadRecorder(on: test.loop)
    let server = try SyncplayReference(password: password, salt: salt, on: test.loop)
    self.server = server
    try test.run { server.isListening || server.hasEnded }
  }

  /// Somebody comes; to wait for, see ``waitForPlayers()``.
  func enter(
    _ name: String, delay: Duration = .milliseconds(5), password: String? = nil,
    change: (inout SyncplayClientSettings) -> Void = { _ in }
  ) throws -> SyncplayClientProcess {
    var settings = SyncplayClientSettings(
      name: name, password: password, file: clips.paths[0], directories: [clips.directory])
    change(&settings)
    let client = try SyncplayClientProcess(
      settings, to: server.port, through: NetworkConditions(delay: delay), on: test.loop)
    clients.append(client)
    recorder.watch(name, at: client.socketPath, patience: SyncplayClientProcess.patience)
    return client
  }

  /// Waits until everybody has the film open, and is seen by the server with it.
  func waitForPlayers() throws {
    for client in clients {
      try waitForWords("\(client.name) is playing", of: client)
      try test.run { self.place(of: client) != nil }
    }
  }

  /// Waits until a client has printed something.
  func waitForWords(_ words: String, of client: SyncplayClientProcess) throws {
    try test.run { client.words.contains(words) || client.hasEnded }
  }

  /// Does something until it is seen: while this test stands still, so do the networks, and what
  /// was done meanwhile is lost with a connection.
  func insist(_ act: @escaping () -> Void, until condition: @escaping () -> Bool) throws {
    act()
    let again = LoopTimer(on: test.loop) { [unowned self] in
      act()
      timer?.fire(at: test.loop.now + Self.insistence)
    }
    timer = again
    again.fire(at: test.loop.now + Self.insistence)
    defer {
      again.close()
      timer = nil
    }
    try test.run(until: condition)
  }
  private var timer: LoopTimer?

  // MARK: Playheads

  func place(of client: SyncplayClientProcess) -> MediaTime? {
    recorder.tracks[client.name]?.readings.last?.place
  }

  /// Whether the player moved in its last readings.
  func runs(_ client: SyncplayClientProcess) -> Bool {
    let last = recorder.tracks[client.name]?.readings.suffix(2).map(\.place) ?? []
    return last.count == 2 && last[1] - last[0] > .milliseconds(10)
  }

  /// Whether the player did not move in its last readings.
  func stands(_ client: SyncplayClientProcess) -> Bool {
    let last = recorder.tracks[client.name]?.readings.suffix(6).map(\.place) ?? []
    return last.count == 6 && last.allSatisfy { $0 == last[0] }
  }

  /// Everybody goes, and the server ends.
  func close() throws {
    recorder.close()
    for client in clients { client.close() }
    server.close()
    try test.run { self.server.hasEnded && self.clients.allSatisfy(\.hasEnded) }
  }
}
