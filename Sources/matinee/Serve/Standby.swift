import ArgumentParser
import EventLoops
import Journals
import Logging
import PostgreSQL
import PushTransports
import Server
import Signatures
import Vocabulary

/// The wait of a server that stands by.
///
/// With a front it takes people in meanwhile, for the server that has the journal.
final class StandbyWait {
  private let loop: EventLoop
  private let log: Logger
  private let makeFront: MakeFront?
  private var front: Front?
  private var standby: PostgreSQLStandby?
  private var isWaiting = false
  private var hasTaken = false
  /// Whether it has sent everybody to the other servers, none of which decides.
  private var isDeserted = false
  private var failure: (any Error)?

  /// Makes the front with the secrets that the servers share, by name.
  typealias MakeFront = (_ secrets: [String: [UInt8]]) throws -> Front

  /// - Parameter makeFront: makes the front once another server takes links; `nil` if this one
  ///   listens on nothing while it waits.
  init(on loop: EventLoop, makingFront makeFront: MakeFront?, _ log: Logger) {
    (self.loop, self.makeFront, self.log) = (loop, makeFront, log)
  }

  /// Waits until this server has the journal.
  ///
  /// - Returns: false if a signal ended the wait.
  /// - Throws: `JournalError`, or why the front cannot be made; 75 if this server is to be started
  ///   again.
  func run(for address: PostgreSQLAddress) throws -> Bool {
    standby = try PostgreSQLStandby(for: address, on: loop) { [unowned self] in tell($0) }
    let signals = try StopSignals(on: loop) { [loop] _ in loop.stop() }
    let reloading = reloadSource()
    loop.run()
    standby?.close()
    front?.stop()
    signals.close()
    reloading?.close()
    if let failure { throw failure }
    // Who takes the journal tells people meanwhile that they are to come back.
    if !hasTaken { loop.run() }
    if isDeserted { throw ExitCode(75) }
    return hasTaken
  }

  private func reloadSource() -> SignalSource? {
    do throws(UVError) {
      return try SignalSource(.hangUp, on: loop) { [unowned self] in front?.reloader?.reload() }
    } catch {
      // Then the signal has its default action: it ends the program.
      return nil
    }
  }

  private func tell(_ notice: PostgreSQLStandby.Notice) {
    switch notice {
    case .waiting(let holder):
      if !isWaiting { log.info("standing by: another server has the journal") }
      isWaiting = true
      follow(holder)
    case .failing(let reason):
      log.error("the database does not answer", metadata: ["reason": "\(reason)"])
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
  /// - Returns: false if a signal ended the wait.
  func standBy(
    _ configuration: ServerConfiguration, on loop: EventLoop, _ log: Logger
  ) throws -> Bool {
    guard clusterOptions.waits, let address = journalOptions.journal.database else { return true }
    let wait = StandbyWait(
      on: loop,
      makingFront: clusterOptions.id.map { id in
        { try front(configuration, named: id, sharing: $0, on: loop, log) }
      }, log)
    do {
      return try wait.run(for: address)
    } catch let code as ExitCode {
      throw code
    } catch {
      log.critical("cannot stand by", metadata: ["error": "\(error)"])
      throw Self.exitCode(of: error)
    }
  }

  /// Listens for people while another server has the journal.
  private func front(
    _ configuration: ServerConfiguration, named id: ServerID, sharing secrets: [String: [UInt8]],
    on loop: EventLoop, _ log: Logger
  ) throws -> Front {
    try JournalLocation.makeDataDirectory()
    try sharedSecrets.copy(secrets)
    let security = try tlsOptions.make(
      listening: configuration.endpoints, beside: journalOptions.journal)
    tlsOptions.tell(security, log)
    var configuration = configuration
    configuration.encryption = security.encryption
    let trust = try LinkKey(beside: JournalLocation.besideDatabases).trust()
    let server = try FrontServer(configuration, named: id, sharing: trust, on: loop, log: log)
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
    let reloader = try certificateReloader(on: loop, log) { server.use($0) }
    return Front(server: server, reloader: reloader)
  }
}
