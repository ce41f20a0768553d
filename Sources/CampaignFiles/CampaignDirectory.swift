import Foundation
import YAML

/// Reads the campaign files of a directory: those that end in `.yaml` or `.yml`, not in its
/// subdirectories, and none whose name begins with a full stop.
package enum CampaignDirectory {
  /// Reads all campaigns, in the order of the files' names.
  ///
  /// It reads files, so it blocks. A directory with a mistake in any file gives no campaigns, so
  /// that a server never runs half of a set.
  package static func read(_ path: String) throws(CampaignFilesError) -> [CampaignEntry] {
    var texts: [(file: String, text: String)] = []
    var errors: [FileError] = []
    let names = try names(in: path)
    for name in names {
      let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      do throws(FileError) {
        texts.append((file, try text(of: file)))
      } catch { errors.append(error) }
    }
    return try CampaignFileSet.read(texts, after: errors)
  }

  private static func names(in path: String) throws(CampaignFilesError) -> [String] {
    let all: [String]
    do {
      all = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadable(directory: path, reason: reasonNotToRead(path))
    }
    let names = all.filter { name in
      !name.hasPrefix(".") && [".yaml", ".yml"].contains { name.hasSuffix($0) }
    }
    guard names.count <= CampaignBounds.files else {
      throw .unreadable(
        directory: path,
        reason: "it has \(names.count) files in YAML, and at most \(CampaignBounds.files) are read")
    }
    return names.sorted()
  }

  private static func reasonNotToRead(_ path: String) -> String {
    do {
      let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
      let type = try FileManager.default.attributesOfItem(atPath: target)[.type]
      return type as? FileAttributeType == .typeDirectory
        ? "permission denied" : "it is no directory"
    } catch { return "there is no such directory" }
  }

  private static func text(of file: String) throws(FileError) -> String {
    func flaw(_ problem: String, _ advice: String) -> FileError {
      FileError(file: file, line: 1, column: 1, problem: problem, advice: advice)
    }
    let path = URL(filePath: file).resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes: [FileAttributeKey: Any]
    do { attributes = try FileManager.default.attributesOfItem(atPath: path) } catch {
      throw flaw("the file cannot be looked at", "see whether you may look into its directory")
    }
    // A pipe would never end.
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular: break
    case .typeSymbolicLink: throw flaw("the link leads nowhere", "remove it, or set it right")
    default: throw flaw("this is no file", "remove it, or give it another ending")
    }
    guard let size = attributes[.size] as? Int, size <= CampaignBounds.fileBytes else {
      throw flaw(
        "the file is larger than \(CampaignBounds.fileBytes) bytes",
        "divide it, or give it another ending if it holds no campaigns")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw flaw("the file cannot be read", "see whether you may read it")
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw flaw("the file is no text in UTF-8", "save it as UTF-8")
    }
    return text
  }
}

/// Where campaigns come from.
package enum CampaignSource: Equatable, Sendable {
  /// The shipped campaign that opens the player of a session, alone.
  case player
  /// All shipped campaigns.
  case shipped
  /// The files of a directory.
  case directory(String)

  /// The name of the player's campaign in place of a directory; `./player` is a directory.
  package static let playerName = "player"
  /// The name of all shipped campaigns in place of a directory.
  package static let shippedName = "shipped"

  /// The source of that name or directory.
  package init(_ text: String) {
    self =
      switch text {
      case Self.playerName: .player
      case Self.shippedName: .shipped
      default: .directory(text)
      }
  }

  /// Reads all of its campaigns, in the order of the files' names.
  ///
  /// It reads files, so it blocks: call it before a loop runs, or on another thread.
  package func read() throws(CampaignFilesError) -> [CampaignEntry] {
    switch self {
    case .player: try ShippedCampaign.entries { $0.name == "watch-player" }
    case .shipped: try ShippedCampaign.entries()
    case .directory(let path): try CampaignDirectory.read(path)
    }
  }
}

/// One of the shipped campaigns.
package struct ShippedCampaign: Equatable, Sendable {
  /// The file's name without its ending, and the campaign's id.
  package let name: String
  /// The text of the file.
  package let text: String

  /// All of them, in the order of their names.
  package static let all = [
    ShippedCampaign("banner", PackageResources.banner_yaml),
    ShippedCampaign("genre-picker", PackageResources.genre_picker_yaml),
    ShippedCampaign("genre-thanks", PackageResources.genre_thanks_yaml),
    ShippedCampaign("preferences", PackageResources.preferences_yaml),
    ShippedCampaign("promotion", PackageResources.promotion_yaml),
    ShippedCampaign("push-primer", PackageResources.push_primer_yaml),
    ShippedCampaign("watch-player", PackageResources.watch_player_yaml),
  ]

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    text = String(decoding: bytes, as: UTF8.self)
  }

  static func entries(
    where isMeant: (ShippedCampaign) -> Bool = { _ in true }
  ) throws(CampaignFilesError) -> [CampaignEntry] {
    try CampaignFileSet.read(all.filter(isMeant).map { ("shipped/\($0.name).yaml", $0.text) })
  }
}
