import Playback
import Testing
import Vocabulary

@Suite struct TimelineAnchorTests {
  let at = Instant(microseconds: 1_000_000)

  @Test func `an item stands still until its anchor and runs from there`() {
    let anchor = TimelineAnchor(mediaTime: .seconds(60), at: at, rate: .normal)
    #expect(anchor.position(at: at - .seconds(1)) == .seconds(60))
    #expect(anchor.position(at: at) == .seconds(60))
    #expect(anchor.position(at: at + .seconds(2)) == .seconds(62))
  }

  @Test func `a change of speed approaches at the old rate`() throws {
    let double = try #require(Rate(2))
    let anchor = TimelineAnchor(mediaTime: .seconds(60), at: at, rate: double, approach: .normal)
    #expect(anchor.position(at: at - .seconds(1)) == .seconds(59))
    #expect(anchor.position(at: at + .seconds(1)) == .seconds(62))
  }

  @Test func `the instant of a place is where the position gets there`() throws {
    let anchor = TimelineAnchor(mediaTime: .zero, at: at, rate: try #require(Rate(1.25)))
    #expect(anchor.instant(of: .seconds(5)) == at + .seconds(4))
    #expect(anchor.position(at: anchor.instant(of: .seconds(5))) == .seconds(5))
  }
}
