import ArgumentParser
import Foundation
import MatineeClient
import Signatures

/// What others are told of a person's files, as in Syncplay's clients.
enum FilePrivacy: String, CaseIterable, ExpressibleByArgument {
  /// The name and the size.
  case name
  /// Hashes of both, which others can compare with their own copy.
  case hash
  /// Neither.
  case none
}

/// Media that a person named: a URL, or a file of their own.
///
/// Only the player on this device uses a file's path; the group is never told it.
struct OwnMedia {
  /// What the group is told.
  let item: MediaItem
  /// The path of the person's file; `nil` for a URL.
  let path: String?
  /// The identifiers under which others may share the same file: whatever their own privacy, and by
  /// its path, if they use the same disk.
  let identifiers: [ItemID]
  /// Distinguishes the person's files if their names are hidden.
  let number: Int
  private let name: String
  /// The size of the person's file in bytes; `nil` for a URL, or if there is no such file.
  private let size: Int64?

  /// Media that a person named.
  ///
  /// Anything but an `http` or `https` URL is a file, because players open nothing else.
  ///
  /// - Parameters:
  ///   - text: what the person wrote.
  ///   - privacy: what the group is told of a file.
  ///   - number: distinguishes the person's files if their names are hidden.
  init(_ text: String, _ privacy: FilePrivacy, number: Int = 1) {
    self.number = number
    guard let file = Self.file(text) else {
      (path, name, size, identifiers) = (nil, text, nil, [ItemID(text)])
      item = MediaItem(title: text, url: text)
      return
    }
    let path = file.path(percentEncoded: false)
    let name = file.lastPathComponent
    let hidden = MediaItem.hiddenName + (number == 1 ? "" : " \(number)")
    let hash = FileHash.of(name: name)
    let size = Self.size(of: file)
    item =
      switch privacy {
      case .name: MediaItem(title: name, url: name, size: size.map(FileSize.bytes))
      case .hash:
        MediaItem(
          title: hash, url: hash, size: size.map { .hashed(FileHash.of(size: $0)) })
      case .none: MediaItem(title: hidden, url: hidden)
      }
    (self.path, self.name, self.size) = (path, name, size)
    identifiers = [name, hash, hidden, path, text].map { ItemID($0) }
  }

  /// Whether a text names this media: the text that it was named with, the name of its file, or its
  /// identifier in the group.
  func isNamed(_ text: String) -> Bool {
    if text == item.item.text || text == name { return true }
    return path != nil && Self.file(text)?.lastPathComponent == name
  }

  /// Whether the text that this media was named with leads to another file of the same name, not only
  /// to that name.
  func replaces(_ known: OwnMedia, as text: String) -> Bool {
    path != nil && path != known.path && text != name && text != known.item.item.text
  }

  /// Whether this is other media than an earlier one of the same name, such as the first episode of
  /// another season: the files differ in size.
  func isOther(than earlier: OwnMedia) -> Bool {
    guard let size, let before = earlier.size else { return false }
    return size != before
  }

  /// What to tell a person who names a file that is not there; `nil` for one that is, and for an
  /// address.
  ///
  /// - Parameter text: what the person wrote.
  func absence(as text: String) -> String? {
    let isAddress = text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
    guard let path, !isAddress || text.lowercased().hasPrefix("file://") else { return nil }
    guard FileManager.default.fileExists(atPath: path) else {
      return "there is no file \(text) here"
    }
    // Only a folder's name may end with a slash.
    let isFolder = FileManager.default.fileExists(atPath: path + "/")
    return isFolder ? "\(text) is a folder; name a file" : nil
  }

  /// Whether somebody shares this media, under a name that tells it from other media.
  func isShared(as media: MediaItem) -> Bool {
    guard !media.url.hasPrefix(MediaItem.hiddenName) else { return false }
    return identifiers.contains(media.item) || identifiers.contains(ItemID(media.url))
  }

  private static func file(_ text: String) -> URL? {
    let lowercased = text.lowercased()
    if ["http://", "https://"].contains(where: { lowercased.hasPrefix($0) }) { return nil }
    if lowercased.hasPrefix("file://"), let url = URL(string: text) {
      return url.standardizedFileURL
    }
    return URL(filePath: text).standardizedFileURL
  }

  /// The size of a file in bytes; `nil` if there is no such file.
  private static func size(of file: URL) -> Int64? {
    do {
      let values = try file.resolvingSymlinksInPath()
        .resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      return values.isRegularFile == true ? values.fileSize.map { Int64($0) } : nil
    } catch {
      return nil
    }
  }
}

/// The media that a person brings, until the group watches something.
///
/// If two people bring some, the one who was there first starts theirs: a newcomer first waits for
/// what others start.
struct BroughtMedia {
  let media: MediaItem
  /// Whether the person has not tried to start it yet.
  private(set) var isWaiting = true
  /// Whether the person was in the group before the others.
  private var wasFirst = false

  /// How long the first wait for an offer that is there already, such as of a room kept for
  /// Syncplay's users; it comes right after the eligibility.
  static let lookAround = Duration.milliseconds(500)
  /// How long newcomers wait: what the first start after their own wait arrives meanwhile, also over a
  /// slow connection.
  static let courtesy = Duration.seconds(2)

  init(_ media: MediaItem) {
    self.media = media
  }

  /// How long to wait before the start; `nil` if there is nothing to start, or nobody to watch with.
  mutating func delay(_ eligibility: Eligibility) -> Duration? {
    switch eligibility {
    case .eligible: return isWaiting ? (wasFirst ? Self.lookAround : Self.courtesy) : nil
    case .ineligible(.alone):
      wasFirst = true
      return nil
    case .ineligible: return nil
    }
  }

  /// Notes that the person tries to start it.
  mutating func begin() { isWaiting = false }
}
