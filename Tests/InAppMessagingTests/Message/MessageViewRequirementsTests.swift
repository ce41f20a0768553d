import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct MessageViewRequirementsTests {
  private func fault(
    _ view: ShippedView, _ extras: [String: PropertyValue], text: String = "x"
  ) -> ContentFault? {
    fault(view.requirements, extras, text: text)
  }

  private func fault(
    _ requirements: MessageViewRequirements, _ extras: [String: PropertyValue], text: String = "x"
  ) -> ContentFault? {
    let message = message("m") {
      $0.extras = extras
      $0.body = .text(.init(text))
    }
    return requirements.fault(of: message, media: MediaURLGuard())
  }

  // Proves: S8, S13
  @Test func `a player needs a video that is a text and a URL one may go to`() {
    let url = PropertyValue.string("https://example.com/a.mp4")
    #expect(fault(.video, ["video_url": url]) == nil)
    #expect(fault(.video, [:]) == .missing("video_url"))
    #expect(fault(.video, ["video_url": .number(1)]) == .wrongType("video_url"))
    #expect(fault(.video, ["video_url": .string("")]) == .video(.empty))
    #expect(fault(.video, ["video_url": .string("not a url")]) == .video(.malformed))
    #expect(
      fault(.video, ["video_url": url, "video_title": .bool(true)]) == .wrongType("video_title"))
  }

  // Proves: S9, S14, R-18
  @Test func `a player without a video is refused before anybody sees it`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m") { $0.extras["view_type"] = .string("video") }))
    #expect(
      rehearsal.take() == [
        "warn m invalidContent(the extra video_url is missing)",
        "report m refused(\(refusal(.invalidContent)))",
        "finished m refused(\(refusal(.invalidContent)))",
      ])
  }

  // Proves: A8
  @Test func `a picker needs items, told apart by a comma and a space`() {
    #expect(fault(.picker, [:], text: "A, B") == nil)
    #expect(fault(.picker, [:], text: "") == .noItems)
    #expect(fault(.picker, [:], text: ", ") == .noItems)
    #expect(
      fault(.tableList, ["attribute_key": .number(1)], text: "A") == .wrongType("attribute_key"))
    let image = message("m", kind: .modalImage)
    #expect(ShippedView.picker.requirements.fault(of: image, media: MediaURLGuard()) == .noItems)
  }

  // Proves: A11, A12, R-18
  @Test func `a view that the author chose needs no text and no image, any other does`() {
    for body in [InAppMessage.Body.text(.init("")), .image(.init(url: ""), landscape: nil)] {
      for (name, isShown) in [
        ("mine", true), ("permission", true), ("default", false), (nil, false),
      ] {
        var settings = PresenterSettings()
        settings.registry.register("mine")
        var rehearsal = Rehearsal(settings)
        rehearsal.feed(
          .deliver(
            message("m") {
              $0.body = body
              $0.extras["view_type"] = name.map { .string($0) }
            }))
        #expect((rehearsal.count("choice") == 1) == isShown, "\(body) \(name ?? "")")
      }
    }
  }

  // Proves: A10
  @Test func `an app's own view says what it needs`() {
    let requirements = MessageViewRequirements([
      .init("level", .number), .init("name", .text, isRequired: false),
    ])
    #expect(fault(requirements, ["level": .number(3)]) == nil)
    #expect(fault(requirements, ["level": .string("3")]) == .wrongType("level"))
    #expect(fault(requirements, ["level": .number(.nan)]) == .wrongType("level"))
    #expect(fault(requirements, [:]) == .missing("level"))
    var settings = PresenterSettings()
    settings.registry.register("level", requirements)
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(.deliver(message("m") { $0.extras["view_type"] = .string("level") }))
    #expect(rehearsal.count("choice") == 0)
  }
}
