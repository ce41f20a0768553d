import ArgumentParser
import Coordination
import EventLoops
import Journals
import Logging
import PushTransports
import Server
import Signatures
import UserNotifications
import Vocabulary
import Wire

extension Serve {
  /// A server that listens, for clients of Syncplay and browsers too if they are served.
  struct Running {
    let server: MatineeServer
    let syncplay: SyncplayDialect?
    let web: WebDoor?
    let page: PageAddress?
    let metrics: MetricsDoor?
    /// Counts the versions of Syncplay's clients; `nil` if nobody asked for it.
    let statistics: VersionStatistics?

    /// Tells a log where people and programs connect.
    func tellAddresses(_ log: Logger) {
      Doors(
        metrics: metrics?.endpoints, native: server.endpoints, web: web?.endpoints, page: page,
        syncplay: syncplay?.endpoints
      ).tell(log)
    }
  }

  /// The addresses at which people come in.
  struct Doors {
    let metrics: [String]?
    let native: [String]
    let web: [String]?
    /// The address of the page for people.
    let page: PageAddress?
    let syncplay: [String]?

    /// Tells a log of them, last of the native ones.
    func tell(_ log: Logger) {
      let browsers: Logger.Metadata = page.map { ["page": "\($0.origin)"] } ?? [:]
      let kinds: [(words: String, endpoints: [String], more: Logger.Metadata)] = [
        ("serving figures", metrics ?? [], [:]),
        ("serving clients of Syncplay", syncplay ?? [], [:]),
        ("serving browsers", web ?? [], browsers), ("listening", native, [:]),
      ]
      for (words, endpoints, more) in kinds {
        for endpoint in endpoints {
          log.info("\(words)", metadata: more.merging(["address": "\(endpoint)"]) { $1 })
        }
      }
    }
  }

  /// Starts the server; a failure is logged and ends the program.
  ///
  /// A journal in a database is given back then.
  func start(
    _ configuration: ServerConfiguration, keeping kept: KeptFiles, on loop: EventLoop,
    _ log: Logger
  ) throws -> Running {
    var opened: (any OpenedJournal)?
    do {
      let statistics = try syncplayOptions.statistics(log)
      // First: the secrets lie beside the journal, whose directory exists from here on.
      opened = try openedJournal(configuration, log)
      return try start(
        configuration, goingOnFrom: opened, keeping: kept, counting: statistics, on: loop, log)
    } catch {
      (opened as? PostgreSQLOpening)?.close()
      log.critical("cannot serve", metadata: ["error": "\(error)"])
      throw Self.exitCode(of: error)
    }
  }

  private func start(
    _ configuration: ServerConfiguration, goingOnFrom opened: (any OpenedJournal)?,
    keeping kept: KeptFiles, counting statistics: VersionStatistics?, on loop: EventLoop,
    _ log: Logger
  ) throws -> Running {
    var configuration = configuration
    let database = opened as? PostgreSQLOpening
    if let database { try sharedSecrets.copy(try database.secrets()) }
    let made = try accessOptions.make(
      try accessMode(configuration), beside: journalOptions.journal, holding: opened?.contents,
      within: configuration.limits, keeping: kept)
    configuration.access = made.access
    let security = try tlsOptions.make(
      listening: configuration.endpoints, beside: journalOptions.journal, keeping: kept)
    configuration.encryption = security.encryption
    tlsOptions.tell(security, log)
    let services = try pushServiceOptions.services()
    let media = try webOptions.media()
    let key = try invitationKey(log)
    configuration.mediaSigner = media == nil ? nil : MediaSigner(key: key)
    let server = try open(
      configuration, services, goingOnFrom: opened, signedBy: key, keeping: kept, on: loop, log)
    log.info(
      "access", metadata: accessOptions.metadata(of: made, at: server.endpoints.first, security))
    if let address = server.endpoints.first {
      try accessOptions.tell(made, at: "\(address)", security)
    }
    let syncplay = try syncplayOptions.configuration(
      beside: journalOptions.journal, asksForKeys: made.asksForKeys, security
    )
    .map { try SyncplayDialect($0, on: server, statistics: statistics) }
    let pushKey = services.webPush.map { Base64URL.text(of: $0.key.publicKey) }
    let web = try webOptions.configuration(security.encryption, media, pushKey: pushKey)
      .map { try WebDoor($0, on: server) }
    let page = try page(of: web, security)
    if let page { accessOptions.tell(made, at: page) }
    let metrics = try webOptions.metricsEndpoint().map { try MetricsDoor(at: $0, on: server) }
    if let database { try share(server, in: database) }
    return Running(
      server: server, syncplay: syncplay, web: web, page: page, metrics: metrics,
      statistics: statistics)
  }

  /// Shares the secrets with the other servers of the journal, and takes links.
  private func share(_ server: MatineeServer, in database: PostgreSQLOpening) throws {
    let linkKey = try clusterOptions.linkKey()
    try sharedSecrets.share(in: database)
    // Last: a server that hears of the address asks for the secrets.
    if let linkKey { try clusterOptions.takeLinks(on: server, of: database, linkKey) }
  }

  /// How people prove who they are.
  func accessMode(_ configuration: ServerConfiguration) throws -> AccessMode {
    try accessOptions.mode(
      listening: configuration.endpoints + syncplayOptions.endpoints() + webOptions.endpoints())
  }

  /// The address of the page for people; `nil` if it is not served.
  func page(of web: WebDoor?, _ security: TLSOptions.Made) throws(ValidationError) -> PageAddress? {
    try webOptions.page(
      at: web?.endpoints ?? [], hasCertificate: security.vouchedIdentity != nil,
      calling: accessOptions.linkedHost)
  }

  /// What the program ends with after an error at its start (sysexits.h).
  static func exitCode(of error: any Error) -> ExitCode {
    switch error {
    case let error as FileComplaint: ExitCode(error.exitCode)
    case is JournalError, is VersionStatisticsError: ExitCode(73)
    case let error as TextFileError: ExitCode(error.exitCode)
    case is KeyFileError, is PushConfigurationError: ExitCode(66)
    default: ExitCode(69)
    }
  }

  /// Opens the journal; `nil` if it is in memory.
  private func openedJournal(
    _ configuration: ServerConfiguration, _ log: Logger
  ) throws -> (any OpenedJournal)? {
    let opened: any OpenedJournal
    switch journalOptions.journal {
    case .memory: return nil
    case .sqlite(let path):
      let file = try JournalFile(
        path, durability: journalOptions.durability, retention: journalOptions.retention,
        limits: configuration.limits, at: WallClock.read())
      if let version = file.earlierVersion {
        log.notice(
          "the journal's tables were an older Matinee's and are changed: only a backup leads back",
          metadata: ["version": "\(version)"])
      }
      opened = file
    case .postgresql(let address):
      try JournalLocation.makeDataDirectory()
      opened = try PostgreSQLOpening(
        address, access: try accessMode(configuration).rawValue,
        retention: journalOptions.retention, limits: configuration.limits, at: WallClock.read())
    }
    log.info(
      "journal",
      metadata: [
        "path": "\(journalOptions.journal)", "streams": "\(opened.contents.streams.count)",
      ])
    for notice in opened.contents.notices { log.error("\(notice)") }
    return opened
  }

  private func open(
    _ configuration: ServerConfiguration, _ services: PushServices,
    goingOnFrom opened: (any OpenedJournal)?, signedBy key: InvitationKey,
    keeping kept: KeptFiles, on loop: EventLoop, _ log: Logger
  ) throws -> MatineeServer {
    var notifications = NotificationSettings()
    notifications.administratorKey = try keyOptions.administratorKey(keeping: kept)
    notifications.endpointFlaw = { services.flaw(of: $0) }
    tell(of: services, log)
    notifications.signer = InvitationSigner(key: key)
    guard let opened else {
      let clock = GroupClock(showing: WallClock.read(), at: loop.now)
      return try MatineeServer(
        configuration, on: loop, clock: clock, notifications: notifications,
        pushDesk: try pushDesk(services, clock, on: loop, log), log: log)
    }
    return try MatineeServer(
      configuration, on: loop, goingOnFrom: opened, notifications: notifications,
      pushDesk: { try pushDesk(services, $0, on: loop, log) }, log: log)
  }

  private func invitationKey(_ log: Logger) throws(KeyFileError) -> InvitationKey {
    let (key, path) = try keyOptions.invitationKey(beside: journalOptions.journal)
    log.debug(
      "invitations are signed", metadata: ["key": "\(path ?? "of this start, kept nowhere")"])
    return key
  }

  /// The desk for push services; `nil` if there are none.
  private func pushDesk(
    _ services: PushServices, _ clock: GroupClock, on loop: EventLoop, _ log: Logger
  ) throws -> PushDesk? {
    let clocks = PushClocks(
      group: { clock.instant(at: MonotonicClock.read()) }, wall: { WallClock.read() })
    let routes = try services.routes(clocks: clocks)
    return routes.isEmpty ? nil : try PushDesk(routes, on: loop, log: log)
  }

  private func tell(of services: PushServices, _ log: Logger) {
    if let webPush = services.webPush {
      log.info(
        "pushing to browsers",
        metadata: [
          "applicationServerKey": "\(Base64URL.text(of: webPush.key.publicKey))",
          "subject": "\(webPush.subject)",
        ])
    }
    if let apns = services.apns {
      log.info(
        "pushing to Apple's devices",
        metadata: ["server": "\(apns.production)", "keyID": "\(apns.keyID)"])
    }
    if services.webPush == nil, services.apns == nil {
      log.info("no push services: who is not connected hears of notifications when they connect")
    }
  }
}
