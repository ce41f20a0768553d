import CampaignFiles
import Foundation
import MatineeClient
import Scenarios
import TLS
import Vocabulary

/// The command-line arguments of a stage's server, and the files they name.
///
/// The files are in a directory that only this user can read. It is deleted with this object.
final class ServerFiles {
  /// The arguments for `matinee serve`.
  ///
  /// The journal is in the database if there is one, in a file if the scenario kills the server, and
  /// otherwise in memory.
  /// Campaigns and the administrator's key are added if the scenario needs them.
  private(set) var arguments: [String] = []
  /// The variables of its environment; its secrets are among these files, too.
  let environment: [String: String]
  /// How clients connect to the server.
  let security: ConnectionSecurity
  private let directory: URL

  /// - Parameters:
  ///   - database: the address of a database with a journal's tables; `nil` for none.
  ///   - parent: where the directory is made.
  init(
    for scenario: Scenario, isEncrypted: Bool, in database: String? = nil,
    under parent: URL = FileManager.default.temporaryDirectory
  ) throws(StageError) {
    let pem = isEncrypted ? SelfSignedCertificate.make() : nil
    security = try pem.map(Self.security) ?? .plaintext
    directory = parent.appending(path: "matinee-demo-\(UUID().uuidString)")
    environment = ProcessInfo.processInfo.environment
      .merging(["XDG_DATA_HOME": directory.path(percentEncoded: false)]) { $1 }
    try Self.make(directory)
    let file = scenario.killsServer ? "sqlite:" + path(of: "journal.sqlite") : "memory"
    arguments = ["--journal", database ?? file]
    if database != nil { arguments += ["--advertise", "127.0.0.1:0"] }
    if let pem {
      let path = try write(String(decoding: pem, as: UTF8.self), to: "server.pem")
      arguments += ["--tls-certificate", path, "--tls-key", path]
    }
    if let places = scenario.namedPlaces { arguments += ["--named-places", "\(places)"] }
    if let campaigns = scenario.campaigns {
      arguments += ["--campaigns", try location(of: campaigns)]
    }
    if scenario.needsAdministrator {
      let path = try write(Scenario.administratorKey, to: "administrator.key")
      arguments += ["--admin-key-file", path]
    }
  }

  /// A connection to the server with this certificate only.
  private static func security(of pem: [UInt8]) throws(StageError) -> ConnectionSecurity {
    do throws(TLSIdentityFault) {
      let identity = try TLSIdentity(certificates: pem, key: pem)
      return .fingerprint(Base64URL.text(of: identity.fingerprint.bytes))
    } catch {
      throw .directory("the certificate cannot be made")
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: directory)
    } catch {
      // The directory is temporary, so the system deletes it later.
    }
  }

  private func location(of campaigns: ScenarioCampaigns) throws(StageError) -> String {
    guard let text = campaigns.text else { return CampaignSource.shippedName }
    // The server reads campaigns from a directory, so the file gets one of its own.
    try Self.make(directory.appending(path: "campaigns"))
    _ = try write(text, to: "campaigns/campaigns.yaml")
    return path(of: "campaigns")
  }

  private static func make(_ directory: URL) throws(StageError) {
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .directory(error.localizedDescription)
    }
  }

  private func path(of name: String) -> String {
    directory.appending(path: name).path(percentEncoded: false)
  }

  /// Writes a file that only this user can read, and returns its path.
  private func write(_ text: String, to name: String) throws(StageError) -> String {
    let path = path(of: name)
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    guard isWritten else { throw .directory("\(name) cannot be written") }
    return path
  }
}

@available(*, unavailable)
extension ServerFiles: Sendable {}
