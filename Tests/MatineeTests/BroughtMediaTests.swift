import MatineeClient
import Testing

@testable import matinee

/// When the film that a person brings starts.
@Suite struct BroughtMediaTests {
  @Test func `who waited for others starts, and a newcomer waits for that`() {
    let film = MediaItem(url: "film.mp4")
    var (first, newcomer) = (BroughtMedia(film), BroughtMedia(film))
    #expect(first.delay(.ineligible(.notConnected)) == nil)
    #expect(first.delay(.ineligible(.alone)) == nil)
    #expect(first.delay(.eligible) == BroughtMedia.lookAround)
    #expect(newcomer.delay(.ineligible(.notInGroup)) == nil)
    #expect(BroughtMedia.courtesy > BroughtMedia.lookAround)
    #expect(newcomer.delay(.eligible) == BroughtMedia.courtesy)
  }

  @Test func `what was started once is not started again`() {
    var film = BroughtMedia(MediaItem(url: "film.mp4"))
    film.begin()
    #expect(film.delay(.ineligible(.alone)) == nil && film.delay(.eligible) == nil)
    #expect(!film.isWaiting)
  }
}
