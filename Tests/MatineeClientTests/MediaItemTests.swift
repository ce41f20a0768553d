import Foundation
import MatineeClient
import Testing

@Suite struct MediaItemTests {
  // Proves: S11
  @Test(arguments: [
    (MediaItem(url: "a.mp4"), #"{"url":"a.mp4"}"#),
    (MediaItem(url: "a.mp4", title: "A"), #"{"title":"A","url":"a.mp4"}"#),
    (MediaItem(url: "a.mp4", id: ItemID("a")), #"{"item":"a","url":"a.mp4"}"#),
  ])
  func `an item is coded as on the wire`(item: MediaItem, text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(item), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(MediaItem.self, from: Data(text.utf8)) == item)
  }

  @Test func `watching an item names it, and sends others to it`() {
    let named = MediaItemActivity(MediaItem(url: "https://films.example/a.mp4", title: "A"))
    #expect(named.metadata.title == "A" && named.media == named.mediaItem)
    #expect(named.metadata.fallbackURL == "https://films.example/a.mp4")
    let nameless = MediaItemActivity(MediaItem(url: "https://films.example/a.mp4"))
    #expect(nameless.metadata.title == "https://films.example/a.mp4")
  }
}
