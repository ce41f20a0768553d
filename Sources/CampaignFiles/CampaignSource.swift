/// Where campaigns come from.
package enum CampaignSource: Equatable, Sendable {
  /// Those that Matinee brings along.
  case shipped
  /// The files of a directory.
  case directory(String)

  /// What stands for the shipped ones where a directory is due; `./shipped` is a directory.
  package static let shippedName = "shipped"

  /// The source that a person means.
  package init(_ text: String) {
    self = text == Self.shippedName ? .shipped : .directory(text)
  }

  /// Reads all of its campaigns, in the order of the files' names.
  ///
  /// It reads files and so blocks: at a start, or away from a loop's thread.
  package func read() throws(CampaignFilesError) -> [CampaignEntry] {
    switch self {
    case .shipped: try ShippedCampaign.entries()
    case .directory(let path): try CampaignDirectory.read(path)
    }
  }
}
