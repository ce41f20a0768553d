import Scenarios
import Testing
import YAML

@testable import matinee

/// What a person is told of verbs.
@MainActor
@Suite struct JoinHelpTests {
  /// What is told of a phrase that is no verb; `nil` if it is one.
  private func told(_ phrase: String) -> String? {
    do throws(PhraseError) {
      _ = try Verb(phrase)
      return nil
    } catch {
      return JoinConsole.correction(of: phrase, error)
    }
  }

  @Test(arguments: [
    ("set", "write `set KEY=VALUE|KEY`"), ("set a b", "write `set KEY=VALUE|KEY`"),
    ("remove", "write `remove NAME`"), ("rekey now", "write `rekey`"),
    ("notification x", "write `notification NUMBER`"), ("status x", "write `status`"),
    ("next", "write `next message`"), ("log", "write `log EVENT [KEY=VALUE …]`"),
    ("kick", "`kick` lacks a name; write `kick NAME [ban]`"),
    ("dance", "there is no verb `dance`; help lists the verbs"),
    (
      "invite Ben for ever",
      "`ever` is not a length of time; write `invite PERSON… [for DURATION]` or `invite`"
    ),
  ])
  func `a verb that is written wrong is told as it is written`(phrase: String, text: String) {
    #expect(told(phrase) == text)
  }

  @Test func `the help has the usage of each verb, and says what a duration is`() {
    #expect(JoinConsole.usage(of: "seek") == "`seek POSITION`")
    #expect(JoinConsole.usage(of: "dance") == nil)
    #expect(JoinConsole.help.contains("\n  queue  ") && JoinConsole.help.contains("A DURATION is"))
  }

  @Test func `a second item is not taken for the first`() {
    #expect(
      told("activate a.mp4 b.mp4")?.hasPrefix("`activate` takes one item, not `a.mp4` and `b.mp4`")
        == true)
  }
}
