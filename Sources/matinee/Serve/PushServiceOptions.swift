import ArgumentParser
import PushTransports
import Server
import WebAddresses

/// Which push services a server asks for people who are not connected, and with which keys.
struct PushServiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The key for Web Push, in PEM or Base64URL; made there if there is no such file.",
      discussion: """
        Browsers subscribe with its public half, which the log names at the start; with another key \
        they have to subscribe again.
        """, valueName: "file"), completion: .file())
  var webPushKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "Where push services reach you: mailto: and your address, or a URL with https:.",
      valueName: "subject"))
  var webPushSubject: String?

  @Option(
    help: ArgumentHelp(
      "A host, and those below it, that Web Push may go to besides the known push services.",
      discussion: """
        Known are those of Google, Mozilla, Apple and Microsoft. A port other than 443 is written \
        behind it: push.example.org:8443. * allows every public host. May be given more than once.
        """, valueName: "host"))
  var webPushHost: [String] = []

  @Flag(
    help:
      "Let hosts of --web-push-host be in this machine's own network: a push service of your own."
  )
  var webPushNearby = false

  @Flag(help: "Let Web Push go to this very machine without TLS: for development.")
  var webPushPlain = false

  @Option(
    help: ArgumentHelp("The key for Apple's push service: the .p8 file.", valueName: "file"),
    completion: .file())
  var apnsKeyFile: String?

  @Option(help: ArgumentHelp("The name of that key, as Apple gave it.", valueName: "id"))
  var apnsKeyId: String?

  @Option(help: ArgumentHelp("The name of your team, as Apple gave it.", valueName: "id"))
  var apnsTeamId: String?

  @Option(
    help: ArgumentHelp(
      "Where pushes to Apple's devices go in place of Apple's servers: for development.",
      valueName: "https-url"))
  var apnsServer: String?

  @Option(
    help: ArgumentHelp(
      "Whom to trust in place of the system's authorities, in PEM: for a push service of your own.",
      valueName: "file"), completion: .file())
  var pushAuthorities: String?

  func validate() throws {
    guard webPushKeyFile != nil || !namesWebPush else {
      throw ValidationError("Web Push needs a key; give --web-push-key-file, too")
    }
    guard webPushKeyFile == nil || webPushSubject != nil else {
      throw ValidationError(
        "push services want to know whom to write to; give --web-push-subject mailto:you@example.org"
      )
    }
    let apple = [apnsKeyFile, apnsKeyId, apnsTeamId]
    guard apple.allSatisfy({ $0 != nil }) || apple.allSatisfy({ $0 == nil }) && apnsServer == nil
    else {
      throw ValidationError(
        "Apple's push service needs --apns-key-file, --apns-key-id and --apns-team-id, all three")
    }
    try validateAddresses()
    // Options without their key are refused before any file is read or made.
    _ = try services(webPushKey: SigningKey(), apnsKey: SigningKey())
  }

  private static let anyHost = "*"

  private var namesWebPush: Bool {
    webPushSubject != nil || !webPushHost.isEmpty || webPushNearby || webPushPlain
  }

  private func validateAddresses() throws {
    for host in webPushHost where host != Self.anyHost && PushHost(host) == nil {
      throw ValidationError(
        "--web-push-host takes a host in lower case, such as push.example.org or "
          + "push.example.org:8443, or * for every public one, not \(host)")
    }
    if let apnsServer {
      let address = WebAddress(apnsServer)
      guard let address, address.scheme == "https", address.path.isEmpty,
        address.origin == apnsServer
      else {
        throw ValidationError(
          "--apns-server takes https:// and a host, such as https://localhost:8443, not \(apnsServer)"
        )
      }
    }
  }

  /// The services that keys were named for.
  ///
  /// - Throws: `KeyFileError`, or a `ValidationError`.
  func services() throws -> PushServices {
    try services(
      webPushKey: try webPushKeyFile.map(KeyFile.readOrMake),
      apnsKey: try apnsKeyFile.map(KeyFile.read))
  }

  /// Reads the keys that are there, and makes none.
  ///
  /// - Throws: `KeyFileError`.
  func checkFiles() throws {
    if let webPushKeyFile, try KeyFile.contentsIfThere(of: webPushKeyFile) != nil {
      _ = try KeyFile.read(webPushKeyFile)
    }
    _ = try apnsKeyFile.map(KeyFile.read)
  }

  private func services(webPushKey: SigningKey?, apnsKey: SigningKey?) throws -> PushServices {
    var services = PushServices()
    do throws(PushConfigurationError) {
      if let webPushKey, let webPushSubject {
        var webPush = try WebPushConfiguration(key: webPushKey, subject: webPushSubject)
        webPush.endpoints.hosts.formUnion(webPushHost.compactMap(PushHost.init))
        webPush.endpoints.allowsAnyPublicHost = webPushHost.contains(Self.anyHost)
        webPush.endpoints.allowsPrivateHosts = webPushNearby
        webPush.endpoints.allowsPlainLoopback = webPushPlain
        webPush.connections.authorities = pushAuthorities
        services.webPush = webPush
      }
      if let apnsKey, let apnsKeyId, let apnsTeamId {
        var apns = try APNsConfiguration(key: apnsKey, keyID: apnsKeyId, teamID: apnsTeamId)
        if let apnsServer {
          apns.production = apnsServer
          apns.sandbox = apnsServer
        }
        apns.connections.authorities = pushAuthorities
        services.apns = apns
      }
    } catch {
      throw ValidationError("\(error)")
    }
    return services
  }
}
