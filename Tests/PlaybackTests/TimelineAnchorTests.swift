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

  @Test func `an approach shows places at the old rate`() throws {
    let double = try #require(Rate(2))
    let anchor = TimelineAnchor(mediaTime: .seconds(60), at: at, rate: double, approach: .normal)
    #expect(anchor.instant(of: .seconds(59)) == at - .seconds(1))
    #expect(anchor.instant(of: .seconds(62)) == at + .seconds(1))
  }

  @Test func `a change of a running item's speed is no jump`() throws {
    let double = try #require(Rate(2))
    let now = at + .seconds(5)
    let running = TimelineAnchor(mediaTime: .zero, at: at, rate: .normal)
    let changed = running.changing(to: double, at: now + .seconds(1), now: now)
    #expect(changed.position(at: now) == .seconds(5))
    #expect(changed.position(at: now + .seconds(2)) == .seconds(8))
  }

  @Test func `a change of speed before a common start moves neither place nor start`() throws {
    let double = try #require(Rate(2))
    let start = TimelineAnchor(mediaTime: .seconds(60), at: at, rate: .normal)
    let early = start.changing(to: double, at: at - .seconds(1), now: at - .seconds(2))
    #expect(early == TimelineAnchor(mediaTime: .seconds(60), at: at, rate: double))
    let late = start.changing(to: double, at: at + .seconds(1), now: at - .seconds(1))
    #expect(late.position(at: at - .seconds(1)) == .seconds(60))
    #expect(late.position(at: at + .seconds(2)) == .seconds(62))
  }

  @Test func `a change of speed replaces one that is still ahead`() throws {
    let double = try #require(Rate(2))
    let now = at - .seconds(1)
    let ahead = TimelineAnchor(mediaTime: .seconds(60), at: at, rate: double, approach: .normal)
    let changed = ahead.changing(to: .slowest, at: at + .seconds(1), now: now)
    #expect(changed.position(at: now) == .seconds(59))
    #expect(changed.position(at: at + .seconds(1)) == .seconds(61))
    #expect(changed.position(at: at + .seconds(5)) == .seconds(62))
  }
}
