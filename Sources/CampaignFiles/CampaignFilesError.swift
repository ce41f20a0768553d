package import YAML

/// Why campaign files cannot be used; a server that runs already goes on with those it has.
package enum CampaignFilesError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The directory itself cannot be read.
  case unreadable(directory: String, reason: String)
  /// There are mistakes in the files: all of them, by file and line; never none.
  case refused([FileError])

  /// The mistakes as an editor finds them, a line each.
  package var description: String {
    switch self {
    case .unreadable(let directory, let reason):
      "\(directory) cannot be read: \(reason); name a directory of campaign files"
    case .refused(let errors): errors.map(\.description).joined(separator: "\n")
    }
  }
}
