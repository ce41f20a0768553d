import FolderTesting
import MatineeClient
import Testing

@testable import matinee

/// What a group is told of media that a person names.
@Suite struct OwnMediaTests {
  private static let urls = [
    "https://films.example/a/film.mp4", "http://films.example/film.mp4", "HTTPS://films.example/a",
  ]
  private static let files = [
    "/home/ann/films/film.mp4", "film.mp4", "../films/film.mp4", "file:///home/ann/film.mp4",
    "FILE:///home/ann/film.mp4", "smb://server/films/film.mp4", "file:/home/ann/film.mp4",
  ]

  @Test(arguments: urls, FilePrivacy.allCases)
  func `a URL is told as it is`(url: String, privacy: FilePrivacy) {
    let media = OwnMedia(url, privacy)
    #expect(media.item == MediaItem(title: url, url: url) && media.path == nil)
  }

  @Test(arguments: files)
  func `of a file only its name is told, or its hash, or nothing`(text: String) throws {
    let told = [
      FilePrivacy.name: "film.mp4", .hash: "da5973094b77", .none: "**Hidden filename**",
    ]
    for (privacy, name) in told {
      let media = OwnMedia(text, privacy)
      #expect(media.item == MediaItem(title: name, url: name))
      #expect(media.path?.hasPrefix("/") == true && media.path?.hasSuffix("/film.mp4") == true)
      // So it is the own copy of what others share, whatever they tell of theirs.
      let shared = Array(told.values) + [text, try #require(media.path)]
      #expect(Set(media.identifiers.map(\.text)) == Set(shared))
    }
  }

  @Test func `several hidden files are distinguished, and by nothing else`() {
    #expect(OwnMedia("b.mp4", .none, number: 2).item.url == "**Hidden filename** 2")
  }

  @Test(arguments: [
    ("/a/film.mp4", true), ("film.mp4", true), ("/b/film.mp4", true), ("da5973094b77", true),
    ("other.mp4", false), ("https://films.example/film.mp4", false),
  ])
  func `a person names their file by its path, its name or what the group calls it`(
    text: String, isNamed: Bool
  ) {
    #expect(OwnMedia("/a/film.mp4", .hash).isNamed(text) == isNamed)
  }

  @Test(arguments: [
    ("/b/film.mp4", true), ("./film.mp4", true), ("/a/film.mp4", false), ("film.mp4", false),
  ])
  func `another path of the same name replaces the known one, the name alone does not`(
    text: String, isReplacing: Bool
  ) {
    let known = OwnMedia("/a/film.mp4", .name)
    #expect(OwnMedia(text, .name).replaces(known, as: text) == isReplacing)
  }

  @Test func `a file that is not there is missed, and an address is not`() throws {
    let folder = try ScratchFolder(["film.mp4": "a"])
    func absence(_ text: String) -> String? { OwnMedia(text, .name).absence(as: text) }
    let (film, typo) = (folder.path(of: "film.mp4"), folder.path(of: "filn.mp4"))
    #expect(absence(film) == nil && absence("file://" + film) == nil)
    #expect(absence(typo) == "there is no file \(typo) here")
    #expect(absence("file://" + typo) == "there is no file file://\(typo) here")
    #expect(absence(folder.path) == "\(folder.path) is a folder; name a file")
    for address in Self.urls + ["rtsp://host/film", "smb://server/film.mp4"] {
      #expect(absence(address) == nil, "\(address)")
    }
  }

  @Test(arguments: [("ab", "abc", true), ("ab", "cd", false), (nil, "ab", false)])
  func `files of one name are different media if both are there and differ in size`(
    earlier: String?, later: String, isOther: Bool
  ) throws {
    let folders = try [earlier, later].map { text in
      try ScratchFolder(text.map { ["01.mkv": $0] } ?? [:])
    }
    for privacy in FilePrivacy.allCases {
      let media = folders.map { OwnMedia($0.path(of: "01.mkv"), privacy) }
      #expect(media[1].isOther(than: media[0]) == isOther)
    }
  }

  @Test func `on a disk that people share, a path names the file that others put on by it`() {
    for path in ["/disk/film.mp4", "../disk/film.mp4", "file:///disk/film.mp4"] {
      #expect(OwnMedia(path, .name).isShared(as: MediaItem(url: path)))
      #expect(!OwnMedia("film.mp4", .name).isShared(as: MediaItem(url: path)))
    }
  }

  @Test(arguments: [
    ("film.mp4", true), ("da5973094b77", true), ("other.mp4", false),
    ("**Hidden filename**", false),
  ])
  func `a copy of what is on is told by its name or its hash`(url: String, isShared: Bool) {
    for privacy in FilePrivacy.allCases {
      let copy = OwnMedia("/a/film.mp4", privacy)
      #expect(copy.isShared(as: MediaItem(url: url)) == isShared)
      let ofSyncplay = MediaItem(item: ItemID("syncplay:file/" + url), url: url)
      #expect(copy.isShared(as: ofSyncplay) == isShared)
    }
  }
}
