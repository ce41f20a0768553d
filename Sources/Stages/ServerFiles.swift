import CampaignFiles
import Foundation
import Scenarios

/// What a stage's server is told to work with, and the files of that: in a directory of its own, which
/// nobody else reads, gone with this.
final class ServerFiles {
  /// What `matinee serve` is told: the journal of a server that dies on the way, others keep nothing;
  /// what it says to people; and the administrator's key, where somebody needs it.
  private(set) var arguments: [String] = []
  private let directory: URL

  init(for scenario: Scenario) throws(StageError) {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "matinee-demo-\(UUID().uuidString)")
    try Self.make(directory)
    let journal = scenario.killsServer ? "sqlite:" + path(of: "journal.sqlite") : "memory"
    arguments = ["--journal", journal]
    if let campaigns = scenario.campaigns {
      arguments += ["--campaigns", try location(of: campaigns)]
    }
    if scenario.needsAdministrator {
      let path = try write(Scenario.administratorKey, to: "administrator.key")
      arguments += ["--admin-key-file", path]
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: directory)
    } catch {
      // It lies where the system clears up by itself.
    }
  }

  private func location(of campaigns: ScenarioCampaigns) throws(StageError) -> String {
    guard let text = campaigns.text else { return CampaignSource.shippedName }
    // Whoever reads campaigns reads a whole directory.
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

  private func path(of name: String) -> String { directory.appending(path: name).path() }

  /// Writes a file for the server alone, and says where it is.
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
