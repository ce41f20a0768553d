import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct InAppMessageTests {
  private func message(_ kind: InAppMessage.Kind) -> InAppMessage {
    InAppMessage(id: "m", kind: kind, body: .text(InAppMessage.Text("Hello")))
  }

  @Test func `a button is found by its id, which is no place`() {
    var modal = message(.modal)
    modal.buttons = [
      .init(id: "7", text: "Later"), .init(id: "3", text: "Now"), .init(id: "3", text: "Again"),
    ]
    #expect(modal.button("7")?.text == "Later")
    #expect(modal.button("3")?.text == "Now")
    #expect(modal.button("1") == nil)
    #expect(modal.button("") == nil)
  }

  @Test(arguments: InAppMessage.Kind.allCases)
  func `asked for as a kind, it is there for that kind only`(kind: InAppMessage.Kind) {
    let message = message(kind)
    for other in InAppMessage.Kind.allCases {
      #expect((message[as: other] != nil) == (other == kind))
    }
  }

  @Test func `set as its kind it changes, as another it stays`() {
    var slideup = message(.slideup)
    slideup.slideup?.themes.dark = InAppMessage.Theme()
    #expect(slideup.themes.dark != nil)
    slideup.modal = message(.modal)
    #expect(slideup.kind == .slideup)
    slideup.slideup = nil
    #expect(slideup.kind == .slideup)
  }

  @Test func `without dark themes the buttons have none, either`() {
    var full = message(.full)
    full.themes.dark = InAppMessage.Theme()
    full.buttons = [.init(id: "1", text: "Go", themes: .init(dark: InAppMessage.Theme()))]
    let light = full.removingDarkThemes()
    #expect(light.themes.dark == nil)
    #expect(light.buttons.allSatisfy { $0.themes.dark == nil })
    full.themes.dark = nil
    #expect(full.buttons[0].themes.dark != nil)
  }

  @Test func `in the dark the dark theme is used, or the light one where there is none`() {
    var light = InAppMessage.Theme()
    light.text = Color(argb: 0xFF00_0000)
    var dark = InAppMessage.Theme()
    dark.text = Color(argb: 0xFFFF_FFFF)
    #expect(InAppMessage.Themes(light: light, dark: dark).theme(for: .dark) == dark)
    #expect(InAppMessage.Themes(light: light, dark: dark).theme(for: .light) == light)
    #expect(InAppMessage.Themes(light: light).theme(for: .dark) == light)
  }

  @Test(arguments: InAppMessage.DismissReason.Name.allCases)
  func `a reason to dismiss is called by the name it was made of`(
    name: InAppMessage.DismissReason.Name
  ) {
    #expect(InAppMessage.DismissReason(name).name == name)
  }

  @Test(arguments: InAppMessage.Surface.Name.allCases)
  func `a surface is called by the name it was made of`(name: InAppMessage.Surface.Name) {
    #expect(InAppMessage.Surface(name).name == name)
  }

  @Test func `a square window is not in landscape`() {
    #expect(Orientation(width: 2, height: 1) == .landscape)
    #expect(Orientation(width: 1, height: 1) == .portrait)
    #expect(InAppMessage.OrientationSupport.any.contains(.landscape))
    #expect(!InAppMessage.OrientationSupport.portrait.contains(.landscape))
  }
}
