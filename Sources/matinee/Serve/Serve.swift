import ArgumentParser
import CampaignFiles
import EventLoops
import GroupSessions
import InAppMessaging
import Journals
import Logging
import Server
import Vocabulary

/// `matinee serve`: runs a server until it is told to stop.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a server.",
    discussion: """
      Serves until SIGTERM or SIGINT: then it tells everyone, sends what is queued, and ends. A \
      second signal ends it at once. Players connect with `matinee join`; anything that speaks \
      lines of JSON over TCP can, such as netcat.

      The server keeps every event in a journal: after a crash or a restart it goes on where it \
      was, and so do the players that come back.

      Apps get in-app messages: the player's, which opens with a session, or those of --campaigns. \
      SIGHUP reads the files of campaigns, the keys of tokens and the certificate again; a mistake in \
      them leaves things as they are.

      On addresses that other machines reach, connections are encrypted, and people come in by the \
      links of their groups: see --access and --tls-certificate.

      With --syncplay, people who use Syncplay watch with the others; with --http, those who open \
      the page in a browser.

      People who are not connected hear of notifications when they connect, or at once by a push \
      service that keys are named for.

      Exit codes: 0 stopped as asked, 64 wrong usage, 65 a mistake in a file, 66 no such \
      file or directory or no good key in a file, 69 an address cannot be listened on, \
      73 the journal, or the statistics of --stats-db-file, cannot be opened, 75 to be started \
      again: another server has taken the journal over, the database lacks changes that this one \
      has made, or a drained server finds no other one; 130 stopped at once by a second signal.
      """)

  @Option(
    help: ArgumentHelp(
      "Address to listen on; may be given more than once. [::]:7878 is every address, v4 and v6.",
      valueName: "host:port"))
  var listen: [String] = ["127.0.0.1:7878"]

  @Option(help: ArgumentHelp("How much to log.", valueName: "level"))
  var logLevel = LogLevel.info

  @Option(
    help: ArgumentHelp(
      "What a session does when a person dismisses the message that hosts the watching.",
      discussion: """
        Applies to sessions that name no policy of their own. endsWithInitiator: the initiator's \
        dismissal ends the session, anybody else's only leaves it. endsForEveryone: any dismissal \
        ends it. leavesOnly: a dismissal only leaves it. When the last one leaves, it always ends.
        """, valueName: "policy"))
  var dismissalPolicy = DismissalArgument(.endsWithInitiator)

  @Option(
    help: ArgumentHelp(
      "The directory of the campaigns; or the word player, shipped or none.",
      discussion: """
        player is the campaign that opens the player of a session; shipped are all that come with \
        Matinee. Write ./player for a directory of that name.
        """, valueName: "directory"),
    completion: .directory)
  var campaigns = CampaignSource.playerName

  @Option(
    help: ArgumentHelp(
      "The shortest time from one in-app message to the next, for one person; 0 is none.",
      valueName: "seconds"))
  var messageInterval = 30

  @Option(
    help: ArgumentHelp(
      "The same for messages that come as the app is opened, from one such to the next.",
      discussion: "86400 is Firebase's rule. It does not limit messages that other events trigger.",
      valueName: "seconds"))
  var foregroundMessageInterval = 0

  @OptionGroup(title: "Journal")
  var journalOptions: JournalOptions

  @OptionGroup(title: "Several servers")
  var clusterOptions: ClusterOptions

  @OptionGroup(title: "Access")
  var accessOptions: AccessOptions

  @OptionGroup(title: "Encryption")
  var tlsOptions: TLSOptions

  @OptionGroup(title: "Secrets")
  var keyOptions: KeyOptions

  @OptionGroup(title: "Push services")
  var pushServiceOptions: PushServiceOptions

  @OptionGroup(title: "Syncplay")
  var syncplayOptions: SyncplayServiceOptions

  @OptionGroup(title: "Browsers")
  var webOptions: WebOptions

  @OptionGroup(title: "Limits")
  var limitOptions: LimitOptions

  func validate() throws {
    _ = try configuration()
  }

  private func configuration() throws -> ServerConfiguration {
    let endpoints = try listen.map {
      try ServerConfiguration.Endpoint($0, of: "listen", port: 7878)
    }
    try clusterOptions.check(journalOptions.journal)
    let all = try endpoints + syncplayOptions.endpoints() + webOptions.endpoints()
    try accessOptions.check(listening: all)
    if accessOptions.asksForKeys(listening: all) { try syncplayOptions.checkKeys() }
    try tlsOptions.check(syncplayOptions.endpoints(), of: "Syncplay's clients")
    try tlsOptions.check(webOptions.endpoints(), of: "browsers")
    return ServerConfiguration(
      endpoints: endpoints,
      limits: try limitOptions.limits(),
      dismissalPolicy: dismissalPolicy.policy, messaging: try messagingPolicy())
  }

  private func messagingPolicy() throws -> MessagingPolicy {
    var policy = MessagingPolicy()
    policy.intervals = try [
      interval(.braze, messageInterval, "message-interval"),
      interval(.firebase, foregroundMessageInterval, "foreground-message-interval"),
    ]
    return policy
  }

  private func interval(
    _ rule: IntervalRule, _ seconds: Int, _ name: String
  ) throws -> IntervalRule {
    guard (0...Self.longestMessageInterval).contains(seconds) else {
      throw ValidationError(
        "--\(name) takes 0 to \(Self.longestMessageInterval) seconds, not \(seconds)")
    }
    var rule = rule
    rule.minimum = .seconds(seconds)
    return rule
  }

  /// A week; a longer interval is a mistake.
  private static let longestMessageInterval = 7 * 86_400

  func run() throws {
    // Before anything that takes time; from here on, a reload ends no service.
    if hearsReloads { ProcessSettings.ignoreHangUp() }
    var configuration = try configuration()
    if let memory = ServiceMemory.limit() {
      // A quarter, as documented for the limit.
      configuration.limits.backlogBytes = min(configuration.limits.backlogBytes, memory / 4)
    }
    ProcessSettings.ignoreBrokenPipes()
    ProcessSettings.acceptTermination()
    let queue = try LogQueue(
      to: PlainLogHandler(StreamLogHandler.standardError(label: "matinee")))
    defer { queue.close() }
    var log = Logger(label: "matinee") { _ in QueuedLogHandler(queue) }
    log.logLevel = logLevel.level
    let descriptors = try ProcessSettings.raiseDescriptorLimit()
    if descriptors < configuration.limits.peers + 16 + TCPListener.sparedDescriptors {
      log.warning(
        "fewer descriptors than peers: raise the hard limit (ulimit -Hn)",
        metadata: ["descriptors": "\(descriptors)", "peers": "\(configuration.limits.peers)"])
    }
    try serve(configuration, log)
  }

  private func serve(_ configuration: ServerConfiguration, _ log: Logger) throws {
    let loop = try EventLoop()
    let reloading = hearsReloads ? try ReloadSignal(on: loop) : nil
    let campaigns = try servedCampaigns(log)
    let kept = KeptFiles(log)
    guard try standBy(configuration, campaigns, kept, reloading, on: loop, log) else {
      return log.info("stopped")
    }
    let running = try start(configuration, keeping: kept, on: loop, log)
    let server = running.server
    let reloaders = try reloaders(campaigns, for: server, on: loop, log)
    let stopper = Stopper(server, reloaders, log)
    server.onReplacement = { stopper.yield(because: $0) }
    server.onDeparture = { stopper.leave(isFollowed: $0) }
    reloading?.use {
      if reloaders.isEmpty { log.info("no files to read again") }
      for reloader in reloaders { reloader.reload() }
    }
    let signals = try StopSignals(on: loop) { stopper.hear($0) }
    running.tellAddresses(log)
    loop.run()
    signals.close()
    reloading?.close()
    running.statistics?.close()
    loop.close()
    log.info("stopped")
    if stopper.hasYielded { throw ExitCode(75) }
  }
}

/// Stops a server once: at a signal, or when it cannot or need not go on.
private final class Stopper {
  private let server: MatineeServer
  private let reloaders: [any Reloading]
  private let log: Logger
  private var isStopping = false
  private(set) var hasYielded = false

  init(_ server: MatineeServer, _ reloaders: [any Reloading], _ log: Logger) {
    self.server = server
    self.reloaders = reloaders
    self.log = log
  }

  func hear(_ signal: Signal) {
    guard !isStopping else {
      return log.info(
        "stopping already; another signal stops at once", metadata: ["signal": "\(signal)"])
    }
    log.info("stopping", metadata: ["signal": "\(signal)", "peers": "\(server.peerCount)"])
    stop()
  }

  /// Stops a server that cannot go on with its journal.
  func yield(because reason: String) {
    guard !isStopping else { return }
    // A server that is drained is not to be started again.
    hasYielded = !server.isDraining
    log.critical(
      "\(reason): stopping, so that everybody comes back to a server that has it",
      metadata: ["peers": "\(server.peerCount)"])
    stop()
  }

  /// Stops a server that has sent its own people to the others.
  func leave(isFollowed: Bool) {
    guard !isStopping else { return }
    hasYielded = !isFollowed
    log.tellDeparture(isFollowed: isFollowed)
    stop()
  }

  private func stop() {
    isStopping = true
    for reloader in reloaders { reloader.close() }
    server.stop()
  }
}

/// A dismissal policy by its name.
struct DismissalArgument: ExpressibleByArgument {
  static var allValueStrings: [String] { DismissalPolicy.allCases.map(\.rawValue) }

  let policy: DismissalPolicy

  var defaultValueDescription: String { policy.rawValue }

  init(_ policy: DismissalPolicy) { self.policy = policy }

  init?(argument: String) {
    guard let policy = DismissalPolicy(rawValue: argument) else { return nil }
    self.policy = policy
  }
}

/// How much a server logs, by swift-log's names.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case trace, debug, info, notice, warning, error, critical

  var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    }
  }
}
