import Foundation
import MatineeClient
import Testing

@Suite struct MediaItemTests {
  private static let breaks =
    Interstitials([InterstitialRange(start: .seconds(1), end: .seconds(2))]) ?? Interstitials()

  @Test(arguments: ["[[2,1]]", "[[1]]", "[[0,2],[1,3]]"])
  func `interstitials that overlap or are none are refused`(ranges: String) {
    let text = #"{"url":"a","interstitials":\#(ranges)}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MediaItem.self, from: Data(text.utf8))
    }
  }

  // Proves: S11
  @Test(arguments: [
    (MediaItem(url: "a.mp4"), #"{"url":"a.mp4"}"#),
    (MediaItem(title: "A", url: "a.mp4"), #"{"title":"A","url":"a.mp4"}"#),
    (MediaItem(item: ItemID("a"), url: "a.mp4"), #"{"item":"a","url":"a.mp4"}"#),
    (MediaItem(url: "a.mp4", size: .bytes(7)), #"{"size":7,"url":"a.mp4"}"#),
    (
      MediaItem(url: "a.mp4", size: .hashed("0123456789ab")),
      #"{"size":"0123456789ab","url":"a.mp4"}"#
    ),
    (
      MediaItem(url: "a.mp4", duration: .seconds(9), interstitials: breaks),
      #"{"duration":9000000,"interstitials":[[1000000,2000000]],"url":"a.mp4"}"#
    ),
  ])
  func `an item is coded as on the wire`(item: MediaItem, text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(item), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(MediaItem.self, from: Data(text.utf8)) == item)
  }

  @Test func `watching an item names it, and sends others to it`() {
    let named = MediaItemActivity(MediaItem(title: "A", url: "https://films.example/a.mp4"))
    #expect(named.metadata.title == "A" && named.media == named.mediaItem)
    #expect(named.metadata.fallbackURL == "https://films.example/a.mp4")
    let nameless = MediaItemActivity(MediaItem(url: "https://films.example/a.mp4?for=ann#t=1"))
    #expect(nameless.metadata.title == "a.mp4")
  }

  @Test func `a title that is made of a long address is no longer than servers take`() {
    let name = String(repeating: "é", count: 200)
    let long = MediaItemActivity(MediaItem(url: "https://films.example/\(name).mp4"))
    #expect(long.metadata.title == String(name.prefix(128)))
  }

  @Test(arguments: ["/home/ann/films/a.mp4", "file:///home/ann/films/a.mp4", "a.mp4"])
  func `an invitation to watch a file tells its name, and not where it is`(url: String) {
    let file = MediaItemActivity(MediaItem(url: url))
    #expect(file.metadata.title == "a.mp4" && file.metadata.fallbackURL == nil)
  }
}
