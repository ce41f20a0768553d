import ArgumentParser
import Coordination
import Foundation
import Journals
import Logging
import MatineeClient
import PushTransports
import Server
import Signatures
import TLS
import Vocabulary
import WebAddresses
import Wire

/// Who may come in, and how people prove who they are.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who may come in: open, keys or tokens; on loopback it is open, elsewhere keys.",
      discussion: """
        open: anybody, under any name; for one machine, or a network whose people you trust. \
        keys: who has a group's link; a name belongs to the first who comes in with it. \
        tokens: who shows a token (JWT) that your app's backend has signed; it names the person \
        and their groups.
        """, valueName: "mode"))
  var access: AccessMode?

  @Option(
    help: ArgumentHelp(
      "The secret that the keys of groups are made from; made there if there is no such file.",
      discussion: """
        Without this option it stands beside the journal; with --journal memory, each start has \
        another one. A new secret voids all links. Each start prints the link that opens groups, \
        until the first group is open; later: matinee invite --access-key-file.
        """, valueName: "file"), completion: .file())
  var accessKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The host in this server's links; by default where it listens, or the machine's name.",
      valueName: "host"))
  var linkHost: String?

  @Option(
    help: ArgumentHelp(
      "The key that verifies tokens; SIGHUP reads it again.",
      discussion: """
        A secret of 32 bytes and more (HS256), a public key in PEM (ES256, EdDSA, RS256), or a set \
        of keys with names (JWKS). Try it with: matinee token.
        """, valueName: "file"), completion: .file())
  var tokenKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The audience that tokens must name in `aud`; required with public keys and sets of keys.",
      valueName: "name"))
  var tokenAudience: String?

  @Option(help: ArgumentHelp("The issuer that tokens must name in `iss`.", valueName: "name"))
  var tokenIssuer: String?

  /// Where the keys of tokens are read from; `nil` if the server takes none.
  var tokens: TokenKeySource? {
    guard access == .tokens, let tokenKeyFile else { return nil }
    return TokenKeySource(keyFile: tokenKeyFile, issuer: tokenIssuer, audience: tokenAudience)
  }

  /// Whether groups have keys.
  func asksForKeys(listening endpoints: [ServerConfiguration.Endpoint]) -> Bool {
    mode(listening: endpoints) == .keys
  }

  /// How people prove who they are: as the options say, and by keys where other machines reach an
  /// address.
  func mode(listening endpoints: [ServerConfiguration.Endpoint]) -> AccessMode {
    access ?? (endpoints.allSatisfy(\.isLoopback) ? .open : .keys)
  }

  /// Checks that the options fit together.
  func check(listening endpoints: [ServerConfiguration.Endpoint]) throws {
    let mode = mode(listening: endpoints)
    if mode == .tokens, tokenKeyFile == nil {
      throw ValidationError("--access tokens needs --token-key-file, which verifies them")
    }
    if mode != .tokens, tokenKeyFile != nil || tokenAudience != nil || tokenIssuer != nil {
      throw ValidationError("keys of tokens need --access tokens")
    }
    if mode != .keys, accessKeyFile != nil || linkHost != nil {
      throw ValidationError("--access-key-file and --link-host need --access keys")
    }
    if let linkHost {
      let host = WebAddress("https://\(Endpoint(host: linkHost))")?.host
      guard host == linkHost.lowercased() else {
        throw ValidationError(
          "--link-host takes a host's name or an IP address, such as film.example, not \(linkHost)")
      }
    }
  }

  /// The access of a server, and whether its first group is still to be opened.
  struct Made {
    let access: Access
    /// The file with the secret of the keys; `nil` if it is kept nowhere.
    var path: String?
    /// Whether the link that opens groups is printed: its key is new, or nobody has used it yet.
    var tellsLink = false

    var asksForKeys: Bool { access.mode == .keys }
  }

  /// What the log says of it, with the command that prints the link later.
  ///
  /// - Parameters:
  ///   - made: the access.
  ///   - address: the address that the server listens on; `nil` if there is none.
  ///   - security: how the server proves itself.
  func metadata(
    of made: Made, at address: String?, _ security: TLSOptions.Made
  ) -> Logger.Metadata {
    var words: Logger.Metadata = ["mode": "\(made.access.mode.rawValue)"]
    guard let path = made.path else { return words }
    var command = "matinee invite --access-key-file \(path.shellWord)"
    if let endpoint = address.flatMap({ Endpoint($0) }) {
      let linked = Endpoint(host: linkedHost(endpoint.host), port: endpoint.port)
      command += " --server \("\(linked)".shellWord)"
      let isPlain = security.encryption.identity == nil && !isLoopback(host: linked.host)
      if isPlain { command += " --plaintext" }
    }
    if let own = security.ownFile { command += " --own-certificate-file \(own.shellWord)" }
    words["links"] = "\(command)"
    return words
  }

  /// How people prove who they are.
  ///
  /// - Parameters:
  ///   - mode: the mode that the options say.
  ///   - journal: where the journal is.
  ///   - contents: what it holds; `nil` if it is in memory.
  ///   - limits: the server's bounds of tokens and of names.
  ///   - kept: keeps the keys of tokens.
  /// - Throws: `FileComplaint` or `KeyFileError`.
  func make(
    _ mode: AccessMode, beside journal: JournalLocation, holding contents: JournalContents?,
    within limits: Limits, keeping kept: KeptFiles
  ) throws -> Made {
    switch mode {
    case .open: return Made(access: .open)
    case .tokens: return Made(access: try tokenAccess(within: limits, keeping: kept) ?? .open)
    case .keys:
      guard let path = accessKeyFile ?? journal.besideIt.map({ $0 + ".access-key" }) else {
        var system = SystemRandomNumberGenerator()
        return Made(access: .keys(AccessKeys(InvitationKey(using: &system))), tellsLink: true)
      }
      let (key, isNew) = try KeyFile.accessKey(path)
      // An earlier start may have made the key, and failed before it printed the link.
      let isUnused = contents?.streams.isEmpty ?? true
      return Made(access: .keys(AccessKeys(key)), path: path, tellsLink: isNew || isUnused)
    }
  }

  /// The access by tokens; `nil` if the server takes none.
  @discardableResult
  func tokenAccess(
    within limits: Limits, keeping kept: KeptFiles
  ) throws(FileComplaint) -> Access? {
    try kept.value(\.access, of: "keys") { () throws(FileComplaint) in
      try tokens?.access(within: limits)
    }
  }

  /// Prints the link that opens groups; it is never logged.
  func tell(
    _ made: Made, at address: String, _ security: TLSOptions.Made
  ) throws(GroupLinkError) {
    guard case .keys(let keys) = made.access, made.tellsLink else { return }
    print(
      """
      Whoever has this link may open groups here; keep it for yourself, and open one with it:
        matinee join --as NAME --group friday '\(try foundingLink(keys, at: address, security).text)'
      """)
    // Whoever starts the server by a script reads it at once.
    fflush(nil)
  }

  /// Prints the link that opens groups in a browser; it is never logged.
  func tell(_ made: Made, at page: PageAddress) {
    guard case .keys(let keys) = made.access, made.tellsLink else { return }
    print(
      """
      In a browser, this link opens groups:
        \(page.link(to: nil, key: keys.founding.text))
      """)
    fflush(nil)
  }

  /// What links call a host that the server listens on.
  func linkedHost(_ host: String?) -> String {
    let machine = ProcessInfo.processInfo.hostName
    return linkHost ?? (["0.0.0.0", "::"].contains(host) ? machine : host ?? machine)
  }

  /// The link that opens groups, as somebody elsewhere uses it.
  ///
  /// - Parameter address: the address that the server listens on.
  private func foundingLink(
    _ keys: AccessKeys, at address: String, _ security: TLSOptions.Made
  ) throws(GroupLinkError) -> GroupLink {
    let endpoint = Endpoint(address)
    let host = linkedHost(endpoint?.host)
    return try GroupLink(
      endpoint: Endpoint(host: host, port: endpoint?.port ?? 7878),
      isEncrypted: security.encryption.identity != nil || isLoopback(host: host), group: nil,
      key: keys.founding.text,
      fingerprint: security.fingerprint.map { Base64URL.text(of: $0.bytes) })
  }
}

extension AccessMode: ExpressibleByArgument {}

/// The file and the names by which tokens are verified.
struct TokenKeySource: Sendable {
  let keyFile: String
  let issuer: String?
  let audience: String?

  /// Reads the keys.
  ///
  /// - Parameter limits: the server's bounds of tokens and of names.
  func access(within limits: Limits) throws(FileComplaint) -> Access {
    do {
      let keys = try KeyFile.tokenKeys(keyFile)
      return .tokens(
        try TokenVerifier(keys: keys, issuer: issuer, audience: audience, limits: limits))
    } catch {
      throw FileComplaint(lines: ["\(error)"], exitCode: 66)
    }
  }
}

extension KeyFile {
  /// Reads the keys that verify tokens.
  fileprivate static func tokenKeys(_ path: String) throws(KeyFileError) -> TokenKeys {
    let bytes = try contents(of: path)
    do throws(TokenKeyFault) {
      return try TokenKeys(contents: bytes)
    } catch {
      throw KeyFileError(path, error.problem, error.advice)
    }
  }
}
