import DatabaseTesting
import EventLoops
import LoopTesting
import ProgramTesting
import Vocabulary

/// Kills a real server under load repeatedly, and checks it by what its peers receive.
///
/// Confined to its test loop's thread.
final class CrashRun {
  let ledger = Ledger()
  private let test: TestLoop
  private let options: [String]
  private let surroundings: Surroundings
  private var chance: SplitMix64
  private var peers: [LoadPeer] = []
  /// Who watches the sessions of the group whose sessions have an audience.
  private(set) var spectators: [LoadSpectator] = []
  private var server: Program?
  /// The server that takes over; `nil` if the same one is started again.
  private var standby: Program?
  /// All servers, if others take people in for the one that decides.
  private var cluster: ServerCluster?
  /// What happens to the database before the next deaths.
  private var faults: ArraySlice<DatabaseFault>
  /// How the next death comes.
  private var death = Death.kill
  /// Whether the peers hang up at the next death.
  ///
  /// A frozen server hangs up on nobody, and who has just come in at a server in front waits there
  /// for the next one.
  private var losesPeers = false
  /// Whether the server has been killed or frozen since it was last started.
  private var isStruck = false
  /// How often another server took over.
  private(set) var takeovers = 0
  /// How often something happened to a server in front.
  private(set) var frontFaults = 0
  /// How often the server that decides was drained.
  private(set) var drains = 0
  private var port: UInt16 = 0
  private var isLoading = false
  /// The server is killed after this many further lines.
  private var linesLeft: Int?
  /// When this many lines are left, one peer's connection breaks.
  private var linesUntilLoss = 0
  private var killTimer: LoopTimer?
  private(set) var kills = 0

  private static let groups = ["amber", "birch", "cedar"]
  private static let peersPerGroup = 3

  /// - Parameters:
  ///   - options: options of `matinee serve`, besides the address.
  ///   - seed: the seed of the load and of the times of crashes.
  init(
    _ options: [String], in surroundings: Surroundings = Surroundings(), seed: UInt64,
    on test: TestLoop
  ) {
    self.options = options
    self.surroundings = surroundings
    faults = surroundings.faults[...]
    ledger.mayFail = surroundings.database != nil
    ledger.mayBeSentBack = surroundings.hasFronts
    self.test = test
    chance = SplitMix64(seed: seed)
    killTimer = LoopTimer(on: test.loop) { [unowned self] in kill() }
    for group in Self.groups {
      for number in 1...Self.peersPerGroup {
        peers.append(
          LoadPeer(
            "\(group)-\(number)", in: group, ledger: ledger, seed: chance.next(), on: test.loop
          ) { [unowned self] in hear($0) })
      }
    }
    spectators = ["seat-1", "seat-2"].map {
      LoadSpectator($0, in: LoadPeer.groupWithAudience, ledger: ledger, on: test.loop)
    }
  }

  /// Kills and restarts the server this many times, and verifies its state each time.
  func perform(kills wanted: Int) throws {
    defer { end() }
    ledger.moment = "at the start"
    try start()
    try connect()
    while kills < wanted {
      ledger.moment = "before death \(kills + 1)"
      isLoading = true
      for peer in peers { keepBusy(peer) }
      try disturbDatabase()
      try disturbFronts()
      try die(withinLines: 900)
      ledger.moment = "after death \(kills)"
      try start()
      if kills < wanted, Int.random(in: 0..<4, using: &chance) == 0 {
        // Kills it again while the peers are still reconnecting.
        linesLeft = Int.random(in: 1...80, using: &chance)
        try callEverybody()
        try die(withinLines: nil)
        ledger.moment = "after death \(kills)"
        try start()
      }
      try connect()
      try verify()
    }
  }

  private func end() {
    killTimer?.close()
    killTimer = nil
    loseEverybody()
    (server, standby, cluster) = (nil, nil, nil)
  }
}

@available(*, unavailable)
extension CrashRun: Sendable {}

// MARK: Crashes

extension CrashRun {
  /// Starts the server on the same port, or on another one if that is taken.
  private func start() throws {
    if surroundings.hasFronts { return try startCluster() }
    if let standby {
      try replaceServer(by: standby)
    } else {
      try startServer()
    }
    guard surroundings.hasStandby else { return }
    standby = try Program.standBy(options, by: surroundings.wrapper, on: test)
  }

  private func replaceServer(by standby: Program) throws {
    let port = try standby.awaitListening(on: test)
    takeovers += 1
    let old = server
    (server, self.port) = (standby, port)
    if let old { try retire(old) }
  }

  private func startCluster() throws {
    if let cluster {
      let old = try cluster.awaitTakeover()
      takeovers += 1
      server = cluster.decider.program
      // Its links stay as they are until it has ended.
      try withExtendedLifetime(old) { try retire(old.program) }
    } else {
      cluster = try ServerCluster(options, by: surroundings.wrapper, on: test)
      server = cluster?.decider.program
    }
  }

  /// Checks how a server that was replaced ends, and wakes it if it was frozen.
  private func retire(_ old: Program) throws {
    if death == .drain, old.ending != .exited(code: 0) {
      ledger.complain("the drained server: \(old.errorOutput)")
    }
    guard death == .freeze else { return }
    // It finds out that it was replaced, and changes nothing.
    old.kill(.goOn)
    try wait("the old server has ended") { old.hasEnded }
    if old.ending != .exited(code: 75) { ledger.complain("the old server: \(old.errorOutput)") }
  }

  private func startServer() throws {
    var (program, port) = try Program.serve(
      options, port: port, by: surroundings.wrapper, on: test)
    if port == 0 {
      (program, port) = try Program.serve(options, by: surroundings.wrapper, on: test)
    }
    guard port != 0 else {
      ledger.complain("the server does not start: \(program.errorOutput)")
      throw TestLoop.TimedOut()
    }
    server = program
    self.port = port
  }

  private func connect() throws {
    try callEverybody()
    try wait("everybody is back") {
      self.peers.allSatisfy { $0.link == .online }
        && self.spectators.allSatisfy { $0.link == .online }
    }
  }

  /// Connects everybody who has no connection.
  private func callEverybody() throws {
    for peer in peers where peer.link == .offline { try peer.connect(to: door()) }
    for one in spectators where one.link == .offline { try one.connect(to: door()) }
  }

  /// The port of the server, or of any of several.
  private func door() -> UInt16 { cluster?.ports.randomElement(using: &chance) ?? port }

  private func loseEverybody() {
    for peer in peers { peer.lose() }
    for one in spectators { one.lose() }
  }

  /// Waits until the server is dead and the peers have read everything it sent.
  private func die(withinLines limit: Int?) throws {
    if let limit {
      let lines = Int.random(in: 1...limit, using: &chance)
      linesLeft = lines
      // One peer disconnects before the crash, and so misses more than the others.
      linesUntilLoss = Int.random(in: 0...lines, using: &chance)
    }
    // Kills the server in any case if no further lines come.
    isStruck = false
    killTimer?.fire(at: test.loop.now + .seconds(2))
    death = nextDeath(isAmongArrivals: limit == nil)
    losesPeers = death == .freeze || limit == nil && cluster != nil
    try wait("the server is dead") {
      (self.isStruck && self.death == .freeze || self.server?.hasEnded == true)
        && self.peers.allSatisfy { $0.link == .offline }
        && self.spectators.allSatisfy { $0.link == .offline }
    }
    killTimer?.fire(at: nil)
    isLoading = false
    linesLeft = nil
    kills += 1
  }

  /// - Parameter isAmongArrivals: whether the peers are still coming back.
  private func nextDeath(isAmongArrivals: Bool) -> Death {
    // Who drains a server has to be answered, by the journal and by the servers in front.
    let isDrainable = cluster != nil && surroundings.database == nil && !isAmongArrivals
    if isDrainable, drains == 0 || Int.random(in: 0..<4, using: &chance) == 0 { return .drain }
    return surroundings.takesOver && Int.random(in: 0..<3, using: &chance) == 0 ? .freeze : .kill
  }

  /// Takes the database away for up to two seconds while the peers ask; no reason to take over.
  private func disturbDatabase() throws {
    guard let database = surroundings.database, let fault = faults.popFirst() else { return }
    try database.command(fault.away)
    try test.run(for: .milliseconds(Int64.random(in: 0...2000, using: &chance)))
    try database.command(fault.back)
  }

  /// Lets something happen to a server in front, or to the links, while the peers ask.
  private func disturbFronts() throws {
    guard let cluster, frontFaults == 0 || Bool.random(using: &chance) else { return }
    let place = Int.random(in: 0..<cluster.fronts.count, using: &chance)
    let pause = Duration.milliseconds(Int64.random(in: 0...2000, using: &chance))
    frontFaults += 1
    switch FrontFault.allCases.randomElement(using: &chance) ?? .kill {
    case .kill: try cluster.killFront(at: place)
    case .freeze: try cluster.freezeFront(at: place, for: pause)
    case .drain:
      if try !cluster.drainFront(at: place) { ledger.complain("a drained server ended badly") }
    case .cutLinks: try cluster.cutLinks(for: pause)
    case .stallLinks: try cluster.stallLinks(for: pause)
    }
    // At once: who stays away for long misses more than a server keeps at hand.
    try callEverybody()
    // Who is still behind at the next death would miss more than a server keeps at hand.
    isLoading = false
    try wait("everybody is back, and current") { self.isQuiet }
    isLoading = true
    for peer in peers { keepBusy(peer) }
    if cluster.fronts.count == 1 { try cluster.addFront() }
  }

  private func hear(_ peer: LoadPeer) {
    if let left = linesLeft {
      if left == linesUntilLoss { peers.randomElement(using: &chance)?.lose() }
      linesLeft = left > 1 ? left - 1 : nil
      // Kills it a little later, so that it dies not only between two lines but at any point of its
      // work.
      if left == 1 {
        killTimer?.fire(
          at: test.loop.now + .microseconds(Int64.random(in: 0...3000, using: &chance)))
      }
    }
    keepBusy(peer)
  }

  private func kill() {
    isLoading = false
    if server?.ending != nil { ledger.complain("the server had ended by itself") }
    isStruck = true
    switch death {
    case .kill: server?.kill(.kill)
    case .freeze: server?.kill(.freeze)
    case .drain: drainDecider()
    }
    if losesPeers { loseEverybody() }
  }

  private func drainDecider() {
    drains += 1
    do { try cluster?.drainDecider() } catch { ledger.complain("draining fails: \(error)") }
  }

  private func keepBusy(_ peer: LoadPeer) {
    guard isLoading else { return }
    peer.keepBusy(starts: peer.device.hasSuffix("-1"))
    for one in spectators where one.group == peer.group {
      one.keepWatching(behind: Self.peersPerGroup)
    }
  }

  private func wait(_ what: String, until condition: @escaping () -> Bool) throws {
    do {
      try test.run(until: condition)
    } catch {
      let standings = peers.map(\.standing) + spectators.map(\.standing)
      ledger.complain("waited in vain until \(what); \(standings)")
      throw error
    }
  }
}

// MARK: Verification

extension CrashRun {
  /// Verifies the server's state once all peers are back and all requests are answered.
  private func verify() throws {
    try wait("all is answered and quiet") { self.isQuiet }
    var isSettled = false
    // Automatic events may intervene, but only a limited number of times.
    for _ in 0..<20 where !isSettled {
      let askers = Self.groups.compactMap { group in peers.first { $0.group == group } }
      for peer in askers {
        peer.ask("status")
        if let over = ledger.endedSessions(of: peer.group).randomElement(using: &chance) {
          peer.ask("leave", #""session":"\#(over)""#)
        }
      }
      try wait("the status is told") { self.isQuiet && askers.allSatisfy { $0.status != nil } }
      isSettled = askers.allSatisfy { isCurrent($0) }
      if isSettled { for peer in askers { check(peer) } }
    }
    if !isSettled { ledger.complain("the status never agrees with what is told") }
    ledger.checkAcknowledgements()
  }

  private var isQuiet: Bool {
    spectators.allSatisfy(\.isCurrent)
      && peers.allSatisfy { peer in
        guard peer.link == .online, peer.awaited.isEmpty, peer.lostMembers.isEmpty else {
          return false
        }
        guard let state = peer.state else { return true }
        return state.seq == peer.seq && state.people.values.allSatisfy { $0.lostUntil == nil }
      }
  }

  private func isCurrent(_ peer: LoadPeer) -> Bool {
    (peer.status?["sessions"].elements ?? []).allSatisfy { session in
      let known = session["session"].text.flatMap { ledger.sessions[$0] }
      return known == nil || known?.state.seq == session["seq"].int
    }
  }

  private func check(_ peer: LoadPeer) {
    guard let status = peer.status else { return }
    let members = peers.filter { $0.group == peer.group }
    for member in members where member.isMember {
      let known = status["groups"].elements.flatMap { $0["members"].elements }
        .first { $0["device"].text == member.device }
      if known == nil { ledger.complain("\(member.device) is no member any more") }
      if known?["lostUntil"] != nil { ledger.complain("\(member.device) is still lost") }
    }
    let sessions = status["sessions"].elements
    for told in sessions {
      guard let id = told["session"].text, let known = ledger.sessions[id] else { continue }
      ledger.compare(SessionState(snapshot: told), known.state, "the status of \(id)")
      if known.state.ending != nil { ledger.complain("\(id) had ended, and goes on") }
    }
    for member in members {
      guard let session = member.session else { continue }
      guard let told = sessions.first(where: { $0["session"].text == session }) else {
        ledger.complain("\(member.device) is in \(session), which is not there")
        continue
      }
      let who = SessionState(snapshot: told).participant(on: member.device)
      if who != member.participant {
        ledger.complain("\(member.device) was \(member.participant ?? ""), and is \(who ?? "gone")")
      }
    }
    for request in peer.asked.values
    where request.type == "leave" && request.line.contains("session") {
      if request.answer?.contains(#""code":"sessionEnded""#) != true {
        ledger.complain("\(request.line) of what had ended was answered \(request.answer ?? "not")")
      }
    }
  }
}
