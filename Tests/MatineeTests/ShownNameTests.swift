import Naming
import Testing
import Vocabulary

@testable import matinee

/// How people at a terminal tell two who show the same name apart.
@Suite struct ShownNameTests {
  private static let ann = ShownName(name: "Ann", user: UserID("Ann"))

  @Test func `a name alone is shown as it is, also of a person with two devices`() {
    let people = [Self.ann, Self.ann, ShownName(name: "Ben", user: UserID("Ben"))]
    #expect(ShownNames(people).text(of: Self.ann) == "Ann")
  }

  @Test(arguments: ["Ann", "Ann\u{200B}", "A\u{200D}nn", "\u{202A}Ann"])
  func `who shows the name of another is shown with the user`(name: String) {
    let mallory = ShownName(name: name, user: UserID("mallory"))
    let names = ShownNames([Self.ann, mallory])
    #expect(names.text(of: Self.ann) == "Ann (user Ann)")
    #expect(names.text(of: mallory).hasSuffix(" (user mallory)"))
  }

  @Test func `a user with characters that are not seen is told with them`() {
    let mallory = ShownName(name: "Ann", user: UserID("Ann\u{200B}"))
    let names = ShownNames([Self.ann, mallory])
    #expect(names.text(of: mallory) == "Ann (user Ann\\u200b)")
  }
}
