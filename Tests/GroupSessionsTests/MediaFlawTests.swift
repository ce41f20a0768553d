import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

/// What keeps activities and media from being shared, field by field.
@Suite struct MediaFlawTests {
  private let limits: Limits
  private let good: GroupActivity

  init() {
    var limits = Limits()
    (limits.activityBytes, limits.itemBytes) = (10, 8)
    (limits.titleBytes, limits.interstitials) = (5, 2)
    self.limits = limits
    good = GroupActivity(
      type: "watch", payload: JSONText(validated: #"{"a":1234}"#),
      metadata: GroupActivityMetadata(
        title: "Film", fallbackURL: "https://a", previewImageURL: "http://b"),
      media: MediaItem(item: "12345678", title: "Title", url: "87654321", duration: .seconds(1)))
  }

  private func field(_ change: (inout GroupActivity) -> Void) -> String? {
    var activity = good
    change(&activity)
    return activity.flaw(limits)?.field
  }

  @Test func `an activity at all its bounds is good`() {
    #expect(good.flaw(limits) == nil)
    #expect(field { $0.media = nil } == nil)
  }

  @Test func `the field that is wrong is named`() {
    #expect(field { $0.type = "" } == "type")
    #expect(field { $0.metadata.title = "" } == "metadata.title")
    #expect(field { $0.metadata.fallbackURL = "ftp://a" } == "metadata.fallbackURL")
    #expect(field { $0.metadata.previewImageURL = "b" } == "metadata.previewImageURL")
    #expect(field { $0.media?.url = "" } == "media.url")
    #expect(field { $0.media?.url = "123456789" } == "media.url")
    #expect(field { $0.media?.item = "" } == "media.item")
    #expect(field { $0.media?.item = "123456789" } == "media.item")
    #expect(field { $0.media?.title = "longer" } == "media.title")
    #expect(field { $0.media?.duration = .zero } == "media.duration")
    #expect(field { $0.media?.duration = .milliseconds(999) } == "media.duration")
  }

  @Test func `a payload that is too large names its bound`() {
    var activity = good
    activity.payload = JSONText(validated: #"{"a":12345}"#)
    let flaw = activity.flaw(limits)
    #expect(flaw?.field == "payload" && flaw?.limit == 10)
  }

  private func breaks(_ count: Int) throws -> Interstitials {
    try #require(
      Interstitials(
        (0..<count).map {
          InterstitialRange(start: .seconds(Double(2 * $0)), end: .seconds(Double(2 * $0 + 1)))
        }))
  }

  @Test func `advertisements lie within the length, and are few`() throws {
    let fitting = try breaks(2)
    let many = try breaks(3)
    func field(_ duration: Duration?, _ breaks: Interstitials) -> String? {
      self.field {
        $0.media?.duration = duration
        $0.media?.interstitials = breaks
      }
    }
    #expect(field(.seconds(3), fitting) == nil)
    #expect(field(.seconds(1), fitting) == "media.interstitials")
    #expect(field(nil, many) == "media.interstitials")
    let told = PlaybackCommand.transition(to: "a", duration: .seconds(2), interstitials: fitting)
    #expect(told.flaw(limits)?.field == "interstitials")
    #expect(PlaybackCommand.transition(to: "a", interstitials: fitting).flaw(limits) == nil)
    #expect(PlaybackCommand.pause("a").flaw(limits) == nil)
  }

  @Test func `inserted media is judged entry by entry`() {
    let media = [MediaItem(url: "a"), MediaItem(url: "")]
    #expect(QueueCommand.insert(media, at: .end).flaw(limits)?.field == "media[1].url")
    #expect(QueueCommand.insert([media[0]], at: .end).flaw(limits) == nil)
    #expect(QueueCommand.clear.flaw(limits) == nil)
  }
}
