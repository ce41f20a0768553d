import ClipTesting
import EventLoops
import LoopTesting
import ProgramTesting
import Scenarios
import SyncplayComparison
import Testing
import Vocabulary

/// A stage with a server, Debian's clients on it, and where it can be those of `matinee join`.
final class Theatre {
  /// Who serves.
  enum Served: CaseIterable {
    case reference
    case matinee

    func program(
      password: String?, salt: String?, certificate: TestCertificate?
    ) throws -> SyncplayServerProgram {
      switch self {
      case .reference: .reference(password: password, salt: salt)
      case .matinee:
        .matinee(
          executable: try Program.path,
          options: (password.map { ["--syncplay-password", $0] } ?? [])
            + (salt.map { ["--salt", $0] } ?? [])
            + (certificate?.options ?? []))
      }
    }
  }

  let stage: SyncplayStage
  let clips: LongClips
  private let test: TestLoop
  /// The server's, which its clients trust; `nil` if nothing is encrypted.
  private let certificate: TestCertificate?

  /// How long somebody waits before they do the same again; each pause is twice the one before.
  private static let insistence = Duration.seconds(10)
  /// How long anything is waited for: six pauses.
  private static let patience = Duration.seconds(630)

  init(
    _ test: TestLoop, at served: Served = .reference, password: String? = nil,
    salt: String? = nil, certificate: TestCertificate? = nil
  ) throws {
    self.test = test
    self.certificate = certificate
    clips = try LongClips.shared()
    let stage = try SyncplayStage(
      try served.program(password: password, salt: salt, certificate: certificate), on: test.loop)
    self.stage = stage
    do {
      try wait { stage.server.isListening || stage.server.hasEnded }
      try #require(stage.server.isListening, "\(stage.server.words)")
    } catch {
      stage.close()
      throw error
    }
  }

  /// Somebody comes, with the film or without, and is waited for.
  ///
  /// On a busy machine Debian's client now and then looks for its player too early and ends: then
  /// they come again. Or it forgets the film that it was started with: then they open it in the
  /// player, as anybody does who sees it empty.
  func enter(
    _ name: String, delay: Duration = .milliseconds(5), password: String? = nil,
    hasFilm: Bool = true, until isThere: @escaping (SyncplayClientProcess) -> Bool
  ) throws -> SyncplayClientProcess {
    let settings = SyncplayClientSettings(
      name: name, password: password, file: hasFilm ? clips.names[0] : nil,
      directory: clips.directory, authorities: certificate?.certificate)
    for _ in 1...4 {
      let client = try stage.enter(settings, through: NetworkConditions(delay: delay))
      // At first the client opens the film itself.
      var seesNone = false
      try insist { [clips] in
        if seesNone, hasFilm, client.hasPlayer, client.words.contains("Successfully connected"),
          !client.words.contains("\(name) is playing")
        {
          client.open(clips.paths[0])
        }
        seesNone = true
      } until: {
        isThere(client) || client.hasEnded
      }
      if isThere(client) { return client }
      client.close()
      try wait { client.hasEnded }
    }
    tell()
    throw TestLoop.TimedOut()
  }

  /// Somebody comes with the film, has it open, and is seen by the server with it.
  func enter(
    _ name: String, delay: Duration = .milliseconds(5), password: String? = nil
  ) throws -> SyncplayClientProcess {
    try enter(name, delay: delay, password: password) { [stage] in
      !$0.hasEnded && stage.isSettled($0)
    }
  }

  /// Somebody comes by `matinee join`, with the film, and gets a player.
  func join(_ name: String, delay: Duration = .milliseconds(5)) throws -> NativeClientProcess {
    let settings = SyncplayClientSettings(
      name: name, file: clips.names[0], directory: clips.directory)
    let native = try stage.join(settings, through: NetworkConditions(delay: delay))
    try wait { native.hasPlayer || native.hasEnded }
    return native
  }

  /// Waits; in vain, it tells where everybody is, and what they and the server said last.
  func wait(until condition: @escaping () -> Bool) throws {
    do {
      try test.run(within: Self.patience, until: condition)
    } catch {
      tell()
      throw error
    }
  }

  private func tell() {
    for client in stage.everybody {
      let position = stage.position(of: client).map { "\($0)" } ?? "nowhere"
      let player = client.hasPlayer ? "with a player" : "without a player"
      Issue.record("\(client.name), \(player), at \(position): \(Self.end(of: client.words))")
    }
    Issue.record("the server: \(Self.end(of: stage.server.words))")
  }

  /// On one line, because a list of failures shows the first lines of each.
  private static func end(of words: String) -> String {
    words.suffix(1500).split(whereSeparator: \.isNewline).joined(separator: " | ")
  }

  /// Waits until a client has printed something.
  func waitForWords(_ words: String, of client: SyncplayClientProcess) throws {
    try wait { client.words.contains(words) || client.hasEnded }
  }

  /// Does something until it is seen: while this test stands still, so do the networks, and what
  /// was done meanwhile is lost with a connection.
  ///
  /// The pauses grow, because doing it again undoes it where its effect takes longer than a pause.
  func insist(_ act: @escaping () -> Void, until condition: @escaping () -> Bool) throws {
    act()
    var pause = Self.insistence
    var timer: LoopTimer?
    timer = LoopTimer(on: test.loop) { [loop = test.loop] in
      act()
      pause += pause
      timer?.fire(at: loop.now + pause)
    }
    timer?.fire(at: test.loop.now + pause)
    defer {
      timer?.close()
      timer = nil
    }
    try wait(until: condition)
  }

  /// When it is.
  var now: HostTime { test.loop.now }

  /// Whether everybody is at least there.
  func areBeyond(_ position: MediaTime, _ clients: any StagedClient...) -> Bool {
    clients.allSatisfy { stage.position(of: $0).map { $0 >= position } == true }
  }

  /// Whether everybody is still before that.
  func areBefore(_ position: MediaTime, _ clients: any StagedClient...) -> Bool {
    clients.allSatisfy { stage.position(of: $0).map { $0 < position } == true }
  }

  /// Whether all of these players move.
  func run(_ clients: [any StagedClient]) -> Bool { clients.allSatisfy(stage.runs) }

  /// Whether none of these players moves.
  func stand(_ clients: [any StagedClient]) -> Bool { clients.allSatisfy(stage.stands) }

  /// Whether these players are where the first of them is, as far as one sees who looks up now and
  /// then.
  func areTogether(_ clients: [any StagedClient]) -> Bool {
    let positions = clients.compactMap(stage.position)
    guard positions.count == clients.count, let low = positions.min(), let high = positions.max()
    else {
      return false
    }
    return high - low < .seconds(5)
  }
}
