import ArgumentParser
import Foundation
import Journals
import Logging
import PushTransports
import Server
import Syncplay

/// Where clients of Syncplay come in, and how they are served; the names are its own server's.
struct SyncplayServiceOptions: ParsableArguments {
  @Option(
    name: .customLong("syncplay"),
    help: ArgumentHelp(
      "Address for clients of Syncplay, whose own port is 8999; may be given more than once.",
      discussion: """
        A room of theirs is the group of the same name: they, and those who use matinee join, see \
        and steer each other. Without this option they are not served.
        """, valueName: "host:port"))
  var addresses: [String] = []

  @Option(
    name: .customLong("syncplay-password-file"),
    help: ArgumentHelp(
      "The password that clients of Syncplay have to give, in a file that nobody else may read.",
      discussion: "If no option gives one, the variable SYNCPLAY_PASSWORD counts, if it is set.",
      valueName: "file"), completion: .file())
  var passwordFile: String?

  @Option(
    name: .customLong("syncplay-password"),
    help: ArgumentHelp(
      "The same on the command line, which everybody on this machine can read: better use a file.",
      valueName: "password"))
  var password: String?

  @Flag(help: "Let people see only those in their own room of Syncplay's.")
  var isolateRooms = false

  @Option(
    help: ArgumentHelp(
      "What managed rooms' names are made with; give an older server's to keep its rooms.",
      discussion: """
        Without this option, it is what the environment has as SYNCPLAY_SALT; without that, one is \
        made at the first start and kept beside the journal; with --journal memory, each start has \
        another one, and operators have to make new rooms.
        """, valueName: "text"))
  var salt: String?

  @Option(
    help: ArgumentHelp(
      "A text for whoever comes by Syncplay.",
      discussion: "It may have $version, $userIp, $username and $room; $$ is a dollar.",
      valueName: "file"), completion: .file())
  var motdFile: String?

  @Flag(help: "Turn off readiness for clients of Syncplay.")
  var disableReady = false

  @Flag(help: "Take no chat from clients of Syncplay, and show them none.")
  var disableChat = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The longest line of Syncplay's chat, in characters.", valueName: "n"))
  var maxChatMessageLength: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The longest name in Syncplay, in characters.", valueName: "n"))
  var maxUsernameLength: Int?

  @Flag(help: "Keep rooms of Syncplay's, with their playlists, when everybody has left them.")
  var keepRooms = false

  @Option(
    help: ArgumentHelp(
      "Rooms that Syncplay lists although nobody is in them, one name a line.", valueName: "file"),
    completion: .file())
  var permanentRoomsFile: String?

  @Option(
    help: ArgumentHelp(
      "A SQLite file to count clients' versions in, once an hour, as Syncplay's own server does.",
      discussion: "A row for each client and hour stays there until you take the file away.",
      valueName: "file"), completion: .file())
  var statsDbFile: String?

  func validate() throws {
    if addresses.isEmpty, let option = firstOption {
      throw ValidationError(
        "--\(option) is for clients of Syncplay; give --syncplay 127.0.0.1:8999, too")
    }
    guard passwordFile == nil || password == nil else {
      throw ValidationError(
        "there is one password: give --syncplay-password-file or --syncplay-password, not both")
    }
    if password?.isEmpty == true {
      throw ValidationError("--syncplay-password is empty; leave it out to let everybody in")
    }
    if salt?.isEmpty == true {
      throw ValidationError("--salt is empty; leave it out to have one made")
    }
    _ = try endpoints()
    _ = try lengths(in: SyncplayOptions(salt: ""))
  }

  /// Checks that there is no password beside the keys of rooms.
  func checkKeys() throws(ValidationError) {
    guard passwordFile != nil || password != nil else { return }
    throw ValidationError(
      "with --access keys, people type their group's key as Syncplay's server password; leave out "
        + "--syncplay-password-file")
  }

  /// The first option that was given in vain.
  private var firstOption: String? {
    let given = [
      ("syncplay-password-file", passwordFile != nil), ("syncplay-password", password != nil),
      ("isolate-rooms", isolateRooms), ("salt", salt != nil), ("motd-file", motdFile != nil),
      ("disable-ready", disableReady), ("disable-chat", disableChat),
      ("max-chat-message-length", maxChatMessageLength != nil),
      ("max-username-length", maxUsernameLength != nil), ("keep-rooms", keepRooms),
      ("permanent-rooms-file", permanentRoomsFile != nil),
      ("stats-db-file", statsDbFile != nil),
    ]
    return given.first { $0.1 }?.0
  }

  /// The addresses for Syncplay's clients; none if they are not served.
  func endpoints() throws(ValidationError) -> [ServerConfiguration.Endpoint] {
    try addresses.map { (text) throws(ValidationError) in
      try ServerConfiguration.Endpoint(text, of: "syncplay", port: 8999)
    }
  }

  /// What fits a line of the protocol many times over, whatever it is written in.
  private static let longestChat = 2_000
  /// As long as it is in the reference's older server; names stand in lists.
  private static let longestName = 150

  private func lengths(in options: SyncplayOptions) throws -> SyncplayOptions {
    var options = options
    try set(
      &options.maximumChatLength, maxChatMessageLength, Self.longestChat, "max-chat-message-length")
    try set(
      &options.maximumUsernameLength, maxUsernameLength, Self.longestName, "max-username-length")
    return options
  }

  private func set(
    _ length: inout Int, _ value: Int?, _ most: Int, _ name: String
  ) throws(ValidationError) {
    guard let value else { return }
    guard (1...most).contains(value) else {
      throw ValidationError("--\(name) takes a number from 1 to \(most), not \(value)")
    }
    length = value
  }

  /// Where and how clients of Syncplay are served; `nil` if they are not.
  ///
  /// - Throws: `KeyFileError` or ``TextFileError``.
  ///
  /// - Parameter asksForKeys: whether each room's key is typed as the password; people then see only
  ///   those in their own room.
  func configuration(
    beside journal: JournalLocation, asksForKeys: Bool, _ security: TLSOptions.Made
  ) throws -> SyncplayConfiguration? {
    guard !addresses.isEmpty else { return nil }
    var options = try options(salt: try salt(beside: journal))
    options.asksForKeys = asksForKeys
    options.isolatesRooms = isolateRooms || asksForKeys
    let endpoints = try endpoints()
    if statsDbFile != nil { options.firstCount = endpoints.first.map(Self.firstCount) }
    return SyncplayConfiguration(
      endpoints: endpoints, options: options, identity: security.vouchedIdentity,
      allowsPlaintext: security.encryption.allowsPlaintext)
  }

  /// What the options say, and the files that they name.
  private func options(salt: String) throws -> SyncplayOptions {
    var options = try lengths(in: SyncplayOptions(salt: salt, password: try givenPassword()))
    options.allowsReadiness = !disableReady
    options.allowsChat = !disableChat
    options.keepsRooms = keepRooms
    if let motdFile { options.messageOfTheDay = try TextFile.messageOfTheDay(motdFile) }
    if let permanentRoomsFile {
      options.permanentRooms = try TextFile.rooms(permanentRoomsFile, options)
    }
    return options
  }

  /// Reads the files that the options name.
  ///
  /// - Throws: `KeyFileError` or ``TextFileError``.
  func checkFiles() throws {
    guard !addresses.isEmpty else { return }
    _ = try options(salt: "")
  }

  /// The reference's: servers on neighbouring ports of one machine do not count at the same time.
  private static func firstCount(_ endpoint: ServerConfiguration.Endpoint) -> Duration {
    .seconds(5 * (Int64(endpoint.port) % 10 + 1))
  }

  /// Where clients' versions are counted; `nil` if they are not.
  ///
  /// - Throws: `VersionStatisticsError`, or the system's error.
  func statistics(_ log: Logger) throws -> VersionStatistics? {
    try statsDbFile.map { path in
      try VersionStatistics(path) { reason in
        log.error(
          "clients' versions could not be counted",
          metadata: ["file": "\(path)", "reason": "\(reason)"])
      }
    }
  }

  private func givenPassword() throws(KeyFileError) -> String? {
    guard let passwordFile else { return password ?? Self.variable("SYNCPLAY_PASSWORD") }
    return try KeyFile.word(passwordFile)
  }

  /// What the environment has, as the reference's server takes it; an empty one is none.
  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func salt(beside journal: JournalLocation) throws(KeyFileError) -> String {
    switch (salt ?? Self.variable("SYNCPLAY_SALT"), journal.besideIt) {
    case (let salt?, _): salt
    case (nil, let path?): try KeyFile.syncplaySalt(path + ".syncplay-salt")
    case (nil, nil): KeyFile.freshSyncplaySalt()
    }
  }
}
