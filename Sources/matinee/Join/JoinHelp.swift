import Scenarios
import YAML

extension JoinConsole {
  /// The syntax of the verbs that no other type reads.
  private static let ownForms = ["queue", "status", "who", "help [VERB]", "quit", "exit"]

  /// What to tell of a phrase that is no verb of a person's.
  ///
  /// - Parameters:
  ///   - phrase: the phrase, with single spaces.
  ///   - error: why it cannot be read.
  static func correction(of phrase: String, _ error: PhraseError) -> String {
    let word = verb(of: phrase)
    guard let usage = usage(of: word) else { return "\(error.problem); help lists the verbs" }
    // The error of a verb that is read elsewhere says that there is none.
    let isReadHere = verbForms.contains { verb(of: $0) == word }
    return (isReadHere ? "\(error.problem); " : "") + "write \(usage)"
  }

  /// The syntax of a verb; `nil` if there is no such verb.
  static func usage(of word: String) -> String? {
    let forms =
      verbForms + EventVerb.forms + NotificationVerb.forms + KeyVerb.forms + ScriptedLines.forms
      + ownForms
    let usage = forms.filter { verb(of: $0) == word }.map { "`\($0)`" }
    return usage.isEmpty ? nil : usage.joined(separator: " or ")
  }

  /// The forms of a person's verbs, without those that only scenarios have.
  private static var verbForms: [String] {
    let forScenarios: Set = [
      "app", "network", "press", "push", "register", "stall", "unregister",
    ]
    let known = Set(EventVerb.forms.map(verb(of:)))
    return Verb.forms.filter {
      !forScenarios.contains(verb(of: $0)) && !known.contains(verb(of: $0))
    }
    // Only a device without a connection answers by a token, and a person here has one. Every
    // session that starts here has an audience.
    .map { $0.replacing(" [by token]", with: "").replacing(" [--audience]", with: "") }
  }

  /// The text that `help` prints.
  static var help: String {
    // Only conditions that one person alone can observe; nobody counts the player's commands here.
    let conditions = ScenarioCondition.forms.filter { !$0.hasPrefix("together") }
      .map { $0.replacing("|untouched", with: "") }
    return """
      Verbs, one a line:
        \(verbForms.joined(separator: "\n  "))
        \(EventVerb.forms.joined(separator: "\n  "))
        \(NotificationVerb.forms.joined(separator: "\n  "))
        \(KeyVerb.forms.joined(separator: "\n  "))
        \(ScriptedLines.forms.joined(separator: "\n  "))
        queue       what is in the queue, by the names that its verbs take
        status      who is here, and where playback and the queue stand; so does return alone
        help VERB   how a verb is written
        quit        leave, and end
      A CONDITION is one of:
        \(conditions.joined(separator: "\n  "))
      activate and stage start sessions with an audience.
      A POSITION is seconds or 1:02:03. An ITEM is a file or a URL.
      A DURATION is seconds such as 1.5, or has a unit: 40 ms, 5 min, 2 h.
      A message on screen is worked by numbers, tab, up, down, esc and return, each with return.
      A notification's actions have numbers; return opens it, esc dismisses it, and an action that
      asks for a text takes the next line. Keys are for what came on screen last.
      """
  }

  private static func verb(of form: String) -> String { String(form.prefix { $0 != " " }) }
}
