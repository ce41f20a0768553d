import Scenarios

extension JoinConsole {
  /// The text that `help` prints.
  static var help: String {
    let forScenarios: Set = [
      "app", "network", "press", "push", "register", "stall", "unregister",
    ]
    let known = Set(EventVerb.forms.map(verb(of:)))
    let verbs = Verb.forms.filter {
      !forScenarios.contains(verb(of: $0)) && !known.contains(verb(of: $0))
    }
    // Only a device without a connection answers by a token, and a person here has one. Every
    // session that starts here has an audience.
    .map { $0.replacing(" [by token]", with: "").replacing(" [--audience]", with: "") }
    // Only conditions that one person alone can observe; nobody counts the player's commands here.
    let conditions = ScenarioCondition.forms.filter { !$0.hasPrefix("together") }
      .map { $0.replacing("|untouched", with: "") }
    return """
      Verbs, one a line:
        \(verbs.joined(separator: "\n  "))
        \(EventVerb.forms.joined(separator: "\n  "))
        \(NotificationVerb.forms.joined(separator: "\n  "))
        \(KeyVerb.forms.joined(separator: "\n  "))
        \(ScriptedLines.forms.joined(separator: "\n  "))
        status      who is here and where playback stands; so does return alone
        quit        leave, and end
      A CONDITION is one of:
        \(conditions.joined(separator: "\n  "))
      activate and stage start sessions with an audience.
      A POSITION is seconds or 1:02:03. An ITEM is a file or a URL.
      A message on screen is worked by numbers, tab, up, down, esc and return, each with return.
      A notification's actions have numbers; return opens it, esc dismisses it, and an action that
      asks for a text takes the next line. Keys are for what came on screen last.
      """
  }

  private static func verb(of form: String) -> String { String(form.prefix { $0 != " " }) }
}
