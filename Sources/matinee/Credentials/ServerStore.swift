import Cryptography
import EventLoops
import Foundation
import MatineeClient
import PushTransports
import Vocabulary

/// How the servers that this user knows prove themselves; a server stays who it is until somebody says
/// otherwise.
///
/// Each server has a file of its own, beside the credentials. All calls block.
struct ServerStore: Sendable {
  private let path: String

  /// The user's store; `nil` where there is no place for one.
  static func known(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> ServerStore? {
    do throws(KeyFileError) {
      return ServerStore(path: try StateDirectory.path(of: "servers", in: environment))
    } catch {
      return nil
    }
  }

  /// How a server proves itself; `nil` for a server that is not known.
  func security(of endpoint: Endpoint) throws(KeyFileError) -> ConnectionSecurity? {
    do throws(SecretFileError) {
      guard let folder = try SecretFolder(path),
        let bytes = try folder.read(Self.name(of: endpoint), longest: Self.longest)
      else { return nil }
      switch String(decoding: bytes, as: UTF8.self) {
      case Self.plaintext: return .plaintext
      case Self.authorities: return .automatic
      case let text: return .fingerprint(text)
      }
    } catch {
      throw KeyFileError(error)
    }
  }

  /// Remembers how a server proved itself; which authorities vouched for it is not remembered.
  func remember(_ security: ConnectionSecurity, of endpoint: Endpoint) throws(KeyFileError) {
    let text =
      switch security {
      case .fingerprint(let text): text
      case .plaintext: Self.plaintext
      case .automatic, .authorities: Self.authorities
      }
    do throws(SecretFileError) {
      try SecretFolder(making: path).replace(Self.name(of: endpoint), Array(text.utf8))
    } catch {
      throw KeyFileError(error)
    }
  }

  private static func name(of endpoint: Endpoint) -> String {
    // As for credentials: what is known of a server must not depend on how this machine is spelled.
    Base64URL.text(of: Digest.sha256(of: Array("\(endpoint.withOneLoopback)".utf8)).bytes)
  }

  private static let plaintext = "plaintext"
  private static let authorities = "authorities"
  /// More than a fingerprint has.
  private static let longest = 64
}

/// Where this program keeps what it remembers (XDG Base Directory Specification).
enum StateDirectory {
  /// `$XDG_STATE_HOME/matinee/NAME`; by default in `~/.local/state`.
  ///
  /// - Throws: if the variables name no directory.
  static func path(of name: String, in environment: [String: String]) throws(KeyFileError) -> String
  {
    // The specification says that relative paths are ignored.
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
    guard let directory = state ?? home else {
      throw KeyFileError(
        "$HOME", "this names no directory for \(name)",
        "set HOME or XDG_STATE_HOME to a path that begins with /")
    }
    return "\(directory)/matinee/\(name)"
  }
}
