import CampaignFiles
import InAppMessaging
import YAML

extension ScenarioReader {
  /// The word `shipped`, or a list of campaigns as in campaign files.
  func readCampaigns(_ node: FileNode) throws(FileError) -> ScenarioCampaigns {
    do throws(CampaignFilesError) {
      guard node.isSequence else {
        guard node.scalar == CampaignSource.shippedName else {
          throw .refused([
            node.error("these are no campaigns", "write `shipped`, or a list of campaigns")
          ])
        }
        return try campaigns(CampaignSource.shipped.read(), in: node)
      }
      let entries = try CampaignReader(file: node.file).read(node)
      return try campaigns(entries, in: node, isWritten: true)
    } catch {
      // One mistake at a time, as everywhere in a scenario.
      if case .refused(let errors) = error, let first = errors.first { throw first }
      throw node.error("the campaigns cannot be read", "write `shipped`, or a list of campaigns")
    }
  }

  private func campaigns(
    _ entries: [CampaignEntry], in node: FileNode, isWritten: Bool = false
  ) throws(CampaignFilesError) -> ScenarioCampaigns {
    do {
      let set = try CampaignSet(entries.map(\.campaign))
      return ScenarioCampaigns(set, text: isWritten ? try "campaigns:\n" + node.document() : nil)
    } catch let error as FileError {
      throw .refused([error])
    } catch {
      throw .refused([node.error("\(error)", "correct it in that campaign")])
    }
  }
}
