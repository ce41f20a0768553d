import ArgumentParser
import Coordination
import EventLoops
import Journals
import Logging
import PostgreSQL
import PushTransports
import Server
import Signatures
import TLS
import Vocabulary
import Wire

/// The wait of a server that stands by.
///
/// With a front it takes people in meanwhile, for the server that has the journal.
final class StandbyWait {
  private let loop: EventLoop
  private let log: Logger
  private let access: AccessMode
  private let makeFront: MakeFront?
  private let checks: [any Reloading]
  private var front: Front?
  private var standby: PostgreSQLStandby?
  private var isWaiting = false
  /// Whether the database does not answer.
  private var isApart = false {
    didSet { front?.server.isDatabaseReached = !isApart }
  }
  private var hasTaken = false
  /// Whether it has sent everybody to the other servers, none of which decides.
  private var isDeserted = false
  private var failure: (any Error)?

  /// Makes the front with the secrets that the servers share, by name.
  typealias MakeFront = (_ secrets: [String: [UInt8]]) throws -> Front

  /// - Parameters:
  ///   - loop: the loop that waits.
  ///   - access: how people prove who they are once this server has the journal.
  ///   - makeFront: makes the front once another server takes links; `nil` if this one listens on
  ///     nothing while it waits.
  ///   - checks: read files that are used after the wait, when somebody asks for a reload.
  ///   - log: is told of the wait.
  init(
    on loop: EventLoop, access: AccessMode, makingFront makeFront: MakeFront?,
    checking checks: [any Reloading], _ log: Logger
  ) {
    (self.loop, self.access, self.log) = (loop, access, log)
    (self.makeFront, self.checks) = (makeFront, checks)
  }

  /// Waits until this server has the journal.
  ///
  /// - Parameters:
  ///   - address: the journal's database.
  ///   - reloading: hears requests for a reload; `nil` if nobody does.
  /// - Returns: false if a signal ended the wait.
  /// - Throws: `JournalError`, or why the front cannot be made; 75 if this server is to be started
  ///   again.
  func run(for address: PostgreSQLAddress, _ reloading: ReloadSignal?) throws -> Bool {
    standby = try PostgreSQLStandby(for: address, access: access.rawValue, on: loop) {
      [unowned self] in tell($0)
    }
    let signals = try StopSignals(on: loop) { [loop] _ in loop.stop() }
    reloading?.use { [unowned self] in
      front?.reloader?.reload()
      for check in checks { check.reload() }
    }
    loop.run()
    standby?.close()
    front?.stop()
    signals.close()
    reloading?.hold()
    for check in checks { check.close() }
    // Who takes the journal tells people meanwhile that they are to come back.
    if !hasTaken, failure == nil { loop.run() }
    standby?.finish()
    if let failure { throw failure }
    if isDeserted { throw ExitCode(75) }
    return hasTaken
  }

  private func tell(_ notice: PostgreSQLStandby.Notice) {
    switch notice {
    case .waiting(let holder):
      endAbsence()
      if !isWaiting { log.info("standing by: another server has the journal") }
      isWaiting = true
      follow(holder)
    case .access(let theirs): warnOfOtherAccess(theirs)
    case .failing(let reason):
      isApart = true
      log.error("the database does not answer as a journal does", metadata: ["reason": "\(reason)"])
    case .barred:
      endAbsence()
      log.error(
        """
        nobody has the journal, and this server does not take it, because it would let people in \
        otherwise than the last one: give it the same --access; to change it, let one with the old \
        --access take the journal, and then stop all servers by SIGTERM
        """, metadata: ["here": "\(access.rawValue)"])
      follow(nil)
    case .taken(let isFromDead):
      hasTaken = true
      if isFromDead {
        log.warning("the server that had the journal is dead: taking it over")
      } else {
        log.info("nobody has the journal: taking it")
      }
      loop.stop()
    }
  }

  /// Notes that the database answers.
  private func endAbsence() {
    if isApart { log.notice("the database answers again") }
    isApart = false
  }

  /// Warns of another access at the server that has the journal.
  private func warnOfOtherAccess(_ theirs: String) {
    guard theirs != access.rawValue else { return }
    log.warning(
      """
      the server that has the journal lets people in otherwise: this one does not take it over \
      before both have the same --access
      """, metadata: ["access": "\(theirs)", "here": "\(access.rawValue)"])
  }

  /// Takes people in for the server that has the journal.
  private func follow(_ holder: JournalHolder?) {
    guard let makeFront else { return }
    do {
      if front == nil, let holder {
        front = try makeFront(try holder.secrets())
        // Who sends everybody away does not take the journal.
        front?.server.onDrain = { [unowned self] in standby?.close() }
        front?.server.onDeparture = { [unowned self] in leave(isFollowed: $0) }
      }
      front?.server.follow(holder.flatMap { ServerConfiguration.Endpoint($0.link) })
    } catch {
      failure = error
      loop.stop()
    }
  }

  /// Ends the wait, since everybody has been sent to the other servers.
  private func leave(isFollowed: Bool) {
    isDeserted = !isFollowed
    log.tellDeparture(isFollowed: isFollowed)
    loop.stop()
  }
}

extension Logger {
  /// Tells that a drained server has sent its people to the others.
  ///
  /// - Parameter isFollowed: whether one of them decides, or can.
  func tellDeparture(isFollowed: Bool) {
    guard !isFollowed else { return info("this server's people are sent to the others: stopping") }
    critical("no other server is there any more: stopping, to be started again")
  }
}

/// A server in front of another one, and what reads its certificate again.
struct Front {
  let server: FrontServer
  let reloader: (any Reloading)?

  func stop() {
    reloader?.close()
    server.stop()
  }
}

extension Serve {
  /// Waits until this server may have the journal, if it stands by.
  ///
  /// - Parameters:
  ///   - configuration: the server's.
  ///   - campaigns: what it serves after the wait; they are read again meanwhile, and at its end.
  ///   - kept: keeps what is read of its other files.
  ///   - reloading: hears requests for a reload; `nil` if nobody does.
  ///   - loop: the loop that waits.
  ///   - log: is told of the wait.
  /// - Returns: false if a signal ended the wait.
  func standBy(
    _ configuration: ServerConfiguration, _ campaigns: ServedCampaigns?, _ kept: KeptFiles,
    _ reloading: ReloadSignal?, on loop: EventLoop, _ log: Logger
  ) throws -> Bool {
    guard clusterOptions.waits, let address = journalOptions.journal.database else { return true }
    do {
      try checkFiles(within: configuration.limits, keeping: kept)
      try clusterOptions.tryLinks(on: loop)
      let checks = try [
        campaignReloader(campaigns, on: loop, log) { campaigns?.set = $0 },
        tokenKeyReloader(within: configuration.limits, on: loop, log) { kept.access = $0 },
      ]
      let wait = StandbyWait(
        on: loop, access: try accessMode(configuration),
        makingFront: clusterOptions.id.map { id in
          { try front(configuration, named: id, sharing: $0, keeping: kept, on: loop, log) }
        }, checking: checks.compactMap { $0 }, log)
      guard try wait.run(for: address, reloading) else { return false }
      campaigns?.refresh(log)
      return true
    } catch let code as ExitCode {
      throw code
    } catch {
      log.critical("cannot stand by", metadata: ["error": "\(error)"])
      throw Self.exitCode(of: error)
    }
  }

  /// Reads the files that options name, so that a mistake ends a server at its start, and not when it
  /// is needed.
  ///
  /// Of the files that servers share, or make if they are missing, only those are read that are there.
  private func checkFiles(within limits: Limits, keeping kept: KeptFiles) throws {
    try keyOptions.administratorKey(keeping: kept)
    try accessOptions.tokenAccess(within: limits, keeping: kept)
    try tlsOptions.namedIdentity(keeping: kept)
    _ = try webOptions.media()
    try syncplayOptions.checkFiles()
    try pushServiceOptions.checkFiles()
    for path in [accessOptions.accessKeyFile, keyOptions.invitationKeyFile].compactMap({ $0 })
    where try KeyFile.contentsIfThere(of: path) != nil {
      _ = try KeyFile.storedAccessKey(path)
    }
  }

  /// Listens for people while another server has the journal.
  private func front(
    _ configuration: ServerConfiguration, named id: ServerID, sharing secrets: [String: [UInt8]],
    keeping kept: KeptFiles, on loop: EventLoop, _ log: Logger
  ) throws -> Front {
    try JournalLocation.makeDataDirectory()
    try sharedSecrets.copy(secrets)
    let security = try tlsOptions.make(
      listening: configuration.endpoints, beside: journalOptions.journal, keeping: kept)
    tlsOptions.tell(security, log)
    var configuration = configuration
    configuration.encryption = security.encryption
    let trust = try LinkKey(beside: JournalLocation.besideDatabases).trust()
    let access = try accessMode(configuration)
    log.info("access", metadata: ["mode": "\(access.rawValue)"])
    let server = try FrontServer(
      configuration, named: id, access: access, sharing: trust, on: loop, log: log)
    let pushKey = try pushServiceOptions.services().webPush.map {
      Base64URL.text(of: $0.key.publicKey)
    }
    let web = try webOptions.configuration(
      security.encryption, try webOptions.media(), pushKey: pushKey
    )
    .map { try server.open($0) }
    // What is asked of its clients, the server that decides asks.
    let syncplay = try syncplayOptions.configuration(
      beside: journalOptions.journal, asksForKeys: false, security
    ).map { try server.open($0) }
    let metrics = try webOptions.metricsEndpoint().map { try MetricsDoor(at: $0, on: server) }
    Doors(
      metrics: metrics?.endpoints, native: server.endpoints, web: web?.endpoints,
      page: try page(of: web, security), syncplay: syncplay?.endpoints
    ).tell(log)
    let reloader = try certificateReloader(on: loop, log) {
      server.use($0)
      kept.identity = $0
    }
    return Front(server: server, reloader: reloader)
  }
}

/// What a server that stands by has read of its files last without a mistake.
///
/// It reads them again when it takes over. With a mistake in them it goes on with what it has,
/// because nobody would serve else.
final class KeptFiles {
  /// The keys of tokens.
  var access: Access?
  var administratorKey: AdministratorKey?
  var identity: TLSIdentity?
  private let log: Logger

  init(_ log: Logger) { self.log = log }

  /// Reads files and keeps what they say; with a mistake in them, returns what was kept.
  ///
  /// - Parameters:
  ///   - place: where it is kept.
  ///   - name: what the log calls the files.
  ///   - read: reads them; `nil` if none were named.
  /// - Throws: the error of `read` if nothing was kept.
  func value<Value, Failure>(
    _ place: ReferenceWritableKeyPath<KeptFiles, Value?>, of name: String,
    _ read: () throws(Failure) -> Value?
  ) throws(Failure) -> Value? {
    do throws(Failure) {
      let value = try read()
      self[keyPath: place] = value
      return value
    } catch {
      guard let kept = self[keyPath: place] else { throw error }
      log.error("\(error)")
      log.error("no change of the \(name): mend the files")
      return kept
    }
  }
}

@available(*, unavailable)
extension KeptFiles: Sendable {}
