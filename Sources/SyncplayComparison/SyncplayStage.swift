package import EventLoops
import Players
package import Scenarios
package import Stages
package import Vocabulary

/// A server and Debian's clients in its rooms; their players are measured from outside.
///
/// Confined to its loop's thread, which runs only within ``wait(within:until:)``.
package final class SyncplayStage {
  package let server: SyncplayServerProcess
  package private(set) var clients: [SyncplayClientProcess] = []
  /// The users with `matinee join`.
  package private(set) var natives: [NativeClientProcess] = []
  package let recorder: PlayheadRecorder
  private let loop: EventLoop
  private var alarm: LoopTimer?

  /// How often a condition is checked; playheads are read every 50 ms.
  private static let interval = Duration.milliseconds(10)
  /// The longest time for the programs to end.
  private static let patience = Duration.seconds(30)

  /// Starts a server; see ``SyncplayServerProcess/isListening``.
  package init(
    _ program: SyncplayServerProgram, on loop: EventLoop
  ) throws(SyncplayProgramError) {
    self.loop = loop
    server = try SyncplayServerProcess(program, on: loop)
    recorder = PlayheadRecorder(on: loop)
    alarm = LoopTimer(on: loop) { loop.stop() }
  }

  /// Starts a user with Debian's client.
  ///
  /// - Parameters:
  ///   - settings: the user, the room and the film.
  ///   - conditions: the network between the client and the server.
  ///   - seed: the seed of the network's jitter.
  package func enter(
    _ settings: SyncplayClientSettings, through conditions: NetworkConditions, seed: UInt64 = 1
  ) throws(SyncplayProgramError) -> SyncplayClientProcess {
    let client = try SyncplayClientProcess(
      settings, to: server.port, through: conditions, seed: seed, on: loop)
    clients.append(client)
    recorder.watch(client.name, at: client.socketPath)
    return client
  }

  /// Starts a user with `matinee join`; the server must be `matinee`, and listen.
  package func join(
    _ settings: SyncplayClientSettings, through conditions: NetworkConditions, seed: UInt64 = 1
  ) throws(SyncplayProgramError) -> NativeClientProcess {
    guard case .matinee(let executable, _) = server.program, let port = server.nativePort else {
      throw .noNatives(server.program.name)
    }
    let native = try NativeClientProcess(
      settings, by: executable, to: port, through: conditions, seed: seed, on: loop
    ) { [recorder] socketPath in
      recorder.watch(settings.name, at: socketPath)
    }
    natives.append(native)
    return native
  }

  /// All clients of both kinds.
  package var everybody: [any StagedClient] { clients + natives }

  /// Runs the loop until a condition holds.
  ///
  /// - Returns: whether it held in time.
  package func wait(within limit: Duration, until condition: () -> Bool) -> Bool {
    let deadline = loop.now + limit
    while !condition() {
      let now = loop.now
      guard now < deadline else { return false }
      alarm?.fire(at: min(now + Self.interval, deadline))
      loop.run()
    }
    return true
  }

  /// Ends all clients and the server, and waits for them; a second call does nothing.
  package func close() {
    recorder.close()
    for client in everybody { client.close() }
    server.close()
    guard alarm != nil else { return }
    _ = wait(within: Self.patience) { server.hasEnded && everybody.allSatisfy(\.hasEnded) }
    for client in everybody { client.removeFiles() }
    alarm?.close()
    alarm = nil
  }
}

// MARK: Playheads, as last read

extension SyncplayStage {
  /// The last position read from a player.
  package func position(of client: any StagedClient) -> MediaTime? {
    recorder.tracks[client.name]?.readings.last?.position
  }

  /// The lowest position read from a player since a moment.
  package func lowestPosition(of client: any StagedClient, since moment: HostTime) -> MediaTime? {
    recorder.tracks[client.name]?.readings.filter { $0.at >= moment }.map(\.position).min()
  }

  /// Whether a player moved between its last two readings.
  package func runs(_ client: any StagedClient) -> Bool {
    let last = recorder.tracks[client.name]?.readings.suffix(2).map(\.position) ?? []
    return last.count == 2 && last[1] - last[0] > .milliseconds(10)
  }

  /// Whether a player did not move in its last six readings, a quarter of a second.
  package func stands(_ client: any StagedClient) -> Bool {
    let last = recorder.tracks[client.name]?.readings.suffix(6).map(\.position) ?? []
    return last.count == 6 && last.allSatisfy { $0 == last[0] }
  }

  /// Whether a client has its film open and reported.
  package func isSettled(_ client: SyncplayClientProcess) -> Bool {
    client.words.contains("\(client.name) is playing") && recorder.hasFilm(client.name)
  }
}

@available(*, unavailable)
extension SyncplayStage: Sendable {}

/// The playheads of some clients, from the beginning until now.
struct MeasuredPlayheads {
  private let names: [String]
  private let tracks: [String: PlayheadTrack]
  private let spreads: PlayheadSpreads
  private let end: HostTime

  init(of names: [String], _ tracks: [String: PlayheadTrack], until end: HostTime) {
    self.names = names
    self.tracks = tracks
    self.end = end
    spreads = PlayheadSpreads(tracks)
  }

  /// The playheads at one instant.
  struct Moment {
    fileprivate let tracks: [String: PlayheadTrack]
    fileprivate let spread: () -> Double?
    fileprivate let at: HostTime

    func runs(_ name: String) -> Bool { tracks[name]?.point(at: at)?.isRunning == true }

    func stands(_ name: String) -> Bool { tracks[name]?.isStill(at: at) == true }

    func position(of name: String) -> MediaTime? { tracks[name]?.point(at: at)?.position }

    func areTogether(within milliseconds: Double) -> Bool {
      spread().map { $0 <= milliseconds } ?? false
    }
  }

  /// The time from a moment until a condition holds, in milliseconds.
  func firstInstant(from begin: HostTime, where holds: (Moment) -> Bool) -> Double? {
    PlayheadSpreads.instants(from: begin, to: end).first { time in
      holds(Moment(tracks: tracks, spread: { spreads.spread(of: names, at: time) }, at: time))
    }.map { ($0 - begin).inMilliseconds }
  }

  /// The spreads since a moment, in milliseconds.
  func spreads(from begin: HostTime) -> [Double] { spreads.all(of: names, from: begin, to: end) }

  /// The distance between the displayed frames at the end, in milliseconds.
  var framesApart: Double? { spreads.frameSpread(of: names, at: end) }

  /// The largest distance of a player from its undisturbed course, in milliseconds.
  func displacement(from begin: HostTime) -> Double? {
    names.flatMap { name -> [Double] in
      guard let track = tracks[name] else { return [] }
      let known = PlayheadSpreads.instants(from: begin, to: end).compactMap { time in
        track.point(at: time).map { (time: time, position: $0.position) }
      }
      guard let first = known.first else { return [] }
      return known.map {
        abs(($0.position - first.position - ($0.time - first.time)).inMilliseconds)
      }
    }.max()
  }
}
