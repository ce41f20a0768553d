import ArgumentParser
import Coordination
import PushTransports
import Server
import Signatures
import Vocabulary
import WebAddresses
import Wire

/// Who may come in, and how people prove who they are.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who may come in: open or tokens; on loopback it is open unless you say otherwise.",
      discussion: """
        open: anybody, under any name; for one machine, or a network whose people you trust. \
        tokens: who shows a token (JWT) that your app's backend has signed; it names the person \
        and their groups.
        """, valueName: "mode"))
  var access: AccessMode?

  @Option(
    help: ArgumentHelp(
      "The key that verifies tokens; SIGHUP reads it again.",
      discussion: """
        A secret of 32 bytes and more (HS256), a public key in PEM (ES256, EdDSA, RS256), or a set \
        of keys with names (JWKS). Try it with: matinee token.
        """, valueName: "file"))
  var tokenKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "What the tokens' `aud` has to name; public keys require it.", valueName: "name"))
  var tokenAudience: String?

  @Option(help: ArgumentHelp("What the tokens' `iss` has to be.", valueName: "name"))
  var tokenIssuer: String?

  /// Where the keys of tokens are read from; `nil` if the server takes none.
  var tokens: TokenKeySource? {
    guard access == .tokens, let tokenKeyFile else { return nil }
    return TokenKeySource(keyFile: tokenKeyFile, issuer: tokenIssuer, audience: tokenAudience)
  }

  /// Checks that the options fit together, and that nobody lets strangers in by accident.
  func check(listening endpoints: [ServerConfiguration.Endpoint]) throws {
    if access == .tokens, tokenKeyFile == nil {
      throw ValidationError("--access tokens needs --token-key-file, which verifies them")
    }
    if access != .tokens, tokenKeyFile != nil || tokenAudience != nil || tokenIssuer != nil {
      throw ValidationError("keys of tokens need --access tokens")
    }
    if access == nil, let open = endpoints.first(where: { !$0.isLoopback }) {
      throw ValidationError(
        "other machines reach \(open): say --access tokens, or --access open to let anybody in "
          + "under any name")
    }
  }

  /// How people prove who they are.
  ///
  /// - Throws: `FileComplaint`.
  func configured() throws(FileComplaint) -> Access { try tokens?.access() ?? .open }
}

extension AccessMode: ExpressibleByArgument {}

/// The file and the names by which tokens are verified.
struct TokenKeySource: Sendable {
  let keyFile: String
  let issuer: String?
  let audience: String?

  /// Reads the keys.
  func access() throws(FileComplaint) -> Access {
    do {
      let keys = try KeyFile.tokenKeys(keyFile)
      return .tokens(try TokenVerifier(keys: keys, issuer: issuer, audience: audience))
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

extension ServerConfiguration.Endpoint {
  /// Whether only this machine reaches the address.
  fileprivate var isLoopback: Bool {
    if host == "localhost" { return true }
    if let address = IPv4Address(host) { return address.isLoopback }
    return IPv6Address(host)?.isLoopback == true
  }
}
