import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct ViewRegistryTests {
  private func choose(
    _ registry: ViewRegistry, _ kind: InAppMessage.Kind = .modal, named: PropertyValue? = nil,
    by app: String? = nil
  ) -> ViewRegistry.Choice {
    registry.choose(
      for: PresentationContext(
        message: message("m", kind: kind) { $0.extras["view_type"] = named }, viewType: app))
  }

  // Proves: A1, A11, A12, A28, R-24, S7
  @Test func `the app's word goes first, then the campaign's, then the kind's`() throws {
    var registry = ViewRegistry()
    registry.register("mine")
    try registry.use("mine", for: .modal)
    #expect(choose(registry, named: .string("picker"), by: "video").view == "video")
    #expect(choose(registry, named: .string("picker")).view == "picker")
    #expect(choose(registry).view == "mine")
    #expect(choose(registry, .slideup).view == "default")
    try registry.use(nil, for: .modal)
    #expect(choose(registry) == .init(view: "default"))
  }

  // Proves: A2, F30
  @Test(arguments: InAppMessage.Kind.allCases)
  func `a view for one kind leaves the default one to the others`(kind: InAppMessage.Kind) throws {
    var registry = ViewRegistry()
    registry.register("mine")
    try registry.use("mine", for: .card)
    #expect(choose(registry, kind).view == (kind == .card ? "mine" : "default"))
    registry.isStrict = true
    #expect(choose(registry, kind).view == (kind == .card ? "mine" : nil))
  }

  // Proves: A14
  @Test func `a name that no view has gives the default one and a warning`() {
    var registry = ViewRegistry()
    #expect(choose(registry, named: .string("pickr")) == .init(view: "default", unknown: "pickr"))
    registry.isStrict = true
    #expect(choose(registry, named: .string("pickr")) == .init(view: nil, unknown: "pickr"))
  }

  // Proves: A15
  @Test func `a kind is given no view that is not there`() {
    var registry = ViewRegistry()
    let before = registry
    #expect(throws: ViewRegistry.UnknownView.self) {
      try registry.use("nibname", for: .modal)
    }
    #expect(registry == before)
    #expect(choose(registry).view == "default")
  }

  // Proves: A13
  @Test func `a name that is no text is none`() {
    #expect(choose(ViewRegistry(), named: .number(7)) == .init(view: "default"))
    #expect(choose(ViewRegistry(), named: nil) == .init(view: "default"))
  }

  // Proves: A14
  @Test func `the developer is told, and the message is shown; or refused, if they are strict`() {
    var rehearsal = Rehearsal()
    let unknown = message("m") { $0.extras["view_type"] = .string("pickr") }
    rehearsal.feed(.deliver(unknown))
    #expect(rehearsal.take("warn") == ["warn m unknownView(\"pickr\")"])
    #expect(rehearsal.shown?.viewType == "default")
    var settings = PresenterSettings()
    settings.registry.isStrict = true
    var strict = Rehearsal(settings)
    strict.feed(.deliver(unknown))
    #expect(strict.lines.contains("report m refused(\(refusal(.noDisplay)))"))
  }
}
