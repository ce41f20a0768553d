import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct AssetTests {
  // Proves: R-21, §7.1
  @Test func `the screen is taken before images load, and given up if they cannot be had`() throws {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m1", kind: .modalImage)))
    rehearsal.time = rehearsal.time + .milliseconds(10)
    rehearsal.feed(.deliver(message("m2")))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m2"])
    #expect(rehearsal.count("choice m2") == 0)
    rehearsal.feed(.assets(.failed, try #require(rehearsal.presenter.currentToken)))
    #expect(rehearsal.lines.contains("report m1 refused(\(refusal(.assets)))"))
    #expect(rehearsal.presenter.visibleMessage?.id == "m2")
    #expect(rehearsal.count("willPresent") == 1)
  }

  // Proves: R-21
  @Test func `images have ten seconds`() {
    var rehearsal = Rehearsal()
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m", kind: .fullImage)))
    rehearsal.pass(.milliseconds(9_999))
    #expect(rehearsal.presenter.isScreenTaken)
    rehearsal.pass(.milliseconds(1))
    #expect(rehearsal.lines.contains("report m refused(\(refusal(.assets)))"))
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  // Proves: R-21
  @Test func `without the image for landscape the other is used`() {
    var rehearsal = Rehearsal()
    rehearsal.assets = [.landscapeFailed, .loaded]
    let image = InAppMessage.Image(url: "https://example.com/a.png")
    let landscape = InAppMessage.Image(url: "https://example.com/b.png")
    rehearsal.feed(
      .deliver(message("m", kind: .imageOnly) { $0.body = .image(image, landscape: landscape) }))
    #expect(rehearsal.shown?.message.body == .image(image, landscape: nil))
    rehearsal.view(.closed(.button))
    let text = { (landscape: InAppMessage.Image?) in
      InAppMessage.Body.text(.init("x", graphic: .image(image), landscapeImage: landscape))
    }
    rehearsal.feed(.deliver(message("n", kind: .card) { $0.body = text(landscape) }))
    #expect(rehearsal.shown?.message.body == text(nil))
  }

  // Proves: R-21
  @Test func `only what is secure is loaded, and spaces in a URL do not matter`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(
      .deliver(
        message("m") {
          $0.body = .text(.init("x", graphic: .image(.init(url: "http://example.com/a.png"))))
        }))
    #expect(rehearsal.count("load") == 0)
    rehearsal.view(.closed(.button))
    rehearsal.feed(
      .deliver(
        message("n") {
          $0.body = .text(.init("x", graphic: .image(.init(url: " https://example.com/a.png "))))
        }))
    let loads = rehearsal.outputs.compactMap { output in
      if case .ask(.loadAssets(let assets), _) = output { assets.image } else { nil }
    }
    #expect(loads == ["https://example.com/a.png"])
  }

  // Proves: R-21
  @Test func `a message too old when its images are there is not shown`() throws {
    var rehearsal = Rehearsal()
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m", kind: .modalImage), timeToLive: .seconds(3)))
    rehearsal.pass(.seconds(4))
    rehearsal.feed(.assets(.loaded, try #require(rehearsal.presenter.currentToken)))
    #expect(rehearsal.lines.contains("report m refused(\(refusal(.expired)))"))
  }
}
