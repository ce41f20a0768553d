import ArgumentParser
import CampaignFiles
import EventLoops
import PushTransports
import Signatures
import Vocabulary

/// `matinee token`: signs a token as an app's backend would, for trying a server out.
struct IssueToken: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Sign a token (JWT) that says who somebody is, for trying a server out.",
    usage: "matinee token --key-file <file> --user <user> [<options>]",
    discussion: """
      An app with accounts of its own signs such tokens in its backend, with a library for JSON Web \
      Tokens. Whoever shows the token is that person until it expires.

        (umask 077; openssl rand -hex 32 > token.key)
        matinee token --key-file token.key --user ann --group friday --for 1h
        matinee token --key-file key.pem --audience films --user ann --group 'club-*'

      The key is the server's secret (HS256), or the private half of the server's public key: P-256 \
      (ES256), Ed25519 (EdDSA) or RSA (RS256), in PEM.

      Exit codes: 0 printed, 64 wrong usage, 66 no valid key in the file, 70 signing failed.
      """)

  @Option(
    help: ArgumentHelp("The file with the key that signs.", valueName: "file"), completion: .file())
  var keyFile: String

  @Option(help: ArgumentHelp("The person, as their apps name them.", valueName: "user"))
  var user: String

  @Option(help: ArgumentHelp("The name to show.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "A group that the person may enter, or the beginning of names and *; repeatable.",
      valueName: "group"))
  var group: [String] = []

  @Flag(help: "Make the person an administrator.")
  var admin = false

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long the token is valid, such as 90s, 30m, 1h or 7d.", valueName: "time"))
  var lifetime = "1h"

  @Option(
    help: ArgumentHelp(
      "The server that it is for, as the server is configured; private keys need one.",
      valueName: "name"))
  var audience: String?

  @Option(help: ArgumentHelp("Who signs, as the server is configured.", valueName: "name"))
  var issuer: String?

  @Option(
    help: ArgumentHelp("The key's name in the server's set of keys (kid).", valueName: "id"))
  var keyId: String?

  func validate() throws {
    let limits = Limits()
    try Self.check(user, "--user takes a name", maximum: limits.identifierBytes)
    if let name { try Self.check(name, "--name takes a name", maximum: limits.titleBytes) }
    for pattern in group {
      try Self.check(
        pattern, "--group takes a group, or the beginning of names and *",
        maximum: limits.identifierBytes + (pattern.hasSuffix("*") ? 1 : 0))
    }
    for (option, value) in [("audience", audience), ("issuer", issuer), ("key-id", keyId)]
    where value?.isEmpty == true {
      throw ValidationError("--\(option) takes a text; write one, or leave the option out")
    }
    _ = try seconds()
  }

  private static func check(_ text: String, _ rule: String, maximum: Int) throws {
    guard !text.isEmpty, !text.hasControls, text.utf8.count <= maximum else {
      throw ValidationError("\(rule): 1 to \(maximum) bytes without control characters")
    }
  }

  /// The lifetime in whole seconds.
  private func seconds() throws -> Int64 {
    guard let duration = Duration(phrase: lifetime), duration >= .seconds(1) else {
      let days = CampaignBounds.duration.microseconds / 86_400_000_000
      throw ValidationError(
        "--for takes a number and its unit, s, m, h or d, such as 90s or 1h (1s to \(days)d),"
          + " not \(lifetime)")
    }
    return duration.components.seconds
  }

  func run() throws {
    let signer: TokenSigner
    do throws(KeyFileError) { signer = try KeyFile.tokenSigner(keyFile) } catch {
      throw complaint("\(error)", 66)
    }
    guard audience != nil || !signer.requiresAudience else {
      throw complaint("a server with a public key asks for an audience; give --audience", 64)
    }
    let now = WallTime(seconds: WallClock.read().microseconds / 1_000_000)
    let contents = try contents(at: now)
    do throws(TokenSigningFault) {
      print(try signer.token(for: contents))
    } catch {
      switch error {
      case .tooLong:
        throw complaint(
          "the token has more than \(TokenSigner.longest) bytes; name fewer groups", 64)
      case .failed: throw complaint("signing failed: no memory, or no random bytes", 70)
      }
    }
  }

  /// What the token says.
  func contents(at now: WallTime) throws -> TokenContents {
    var contents = TokenContents(
      user: UserID(user), issued: now, expires: now + (try seconds()))
    contents.name = name
    contents.groups = GroupGrants(group)
    contents.isAdministrator = admin
    contents.audience = audience
    contents.issuer = issuer
    contents.keyID = keyId
    return contents
  }
}

extension KeyFile {
  /// Reads a key that signs tokens.
  static func tokenSigner(_ path: String) throws(KeyFileError) -> TokenSigner {
    let bytes = try contents(of: path)
    do throws(TokenKeyFault) {
      return try TokenSigner(contents: bytes)
    } catch {
      throw KeyFileError(path, error.problem, error.advice)
    }
  }
}
