import InAppMessaging
import Testing

@Suite struct VideoViewTests {
  // Proves: S10
  @Test func `a video without a title has the usual one`() {
    let video = VideoView(message("m") { $0.extras["video_url"] = .string("https://a/b.mp4") })
    #expect(video?.title == "Video Content")
    #expect(VideoView(message("m")) == nil)
  }
}
