import CampaignFiles
import Foundation
import Scenarios

/// The campaigns of a stage's server: those that come along, or a file in a directory of its own,
/// gone with it.
final class StageCampaigns {
  /// What `matinee serve` is told.
  let location: String
  private let directory: URL?

  init(_ campaigns: ScenarioCampaigns) throws(StageError) {
    guard let text = campaigns.text else {
      location = CampaignSource.shippedName
      directory = nil
      return
    }
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "matinee-demo-\(UUID().uuidString)")
    location = directory.path()
    self.directory = directory
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try text.write(
        to: directory.appending(path: "campaigns.yaml"), atomically: true, encoding: .utf8)
    } catch {
      throw .directory(error.localizedDescription)
    }
  }

  deinit {
    guard let directory else { return }
    do {
      try FileManager.default.removeItem(at: directory)
    } catch {
      // It lies where the system clears up by itself.
    }
  }
}

@available(*, unavailable)
extension StageCampaigns: Sendable {}
