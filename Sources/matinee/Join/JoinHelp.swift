import Scenarios

/// What `help` prints.
enum JoinHelp {
  static var text: String {
    let forScenarios: Set = [
      "accept", "app", "network", "press", "push", "register", "reply", "stall", "tap",
      "unregister",
    ]
    let known = Set(EventVerb.forms.map(verb(of:)))
    let verbs = Verb.forms.filter {
      !forScenarios.contains(verb(of: $0)) && !known.contains(verb(of: $0))
    }
    return """
      Verbs, one a line:
        \(verbs.joined(separator: "\n  "))
        \(EventVerb.forms.joined(separator: "\n  "))
        \(NotificationVerb.forms.joined(separator: "\n  "))
        \(ScriptedLines.forms.joined(separator: "\n  "))
        status      who is here and where playback stands; so does return alone
        quit        leave, and end
      A CONDITION is one of:
        \(conditions.joined(separator: "\n  "))
      A POSITION is seconds or 1:02:03. An ITEM is a file or a URL.
      A message on screen is worked by numbers, tab, up, down, esc and return, each with return.
      A notification's actions have numbers; return opens it, esc dismisses it, and an action that
      asks for a text takes the next line. Keys are for whatever came last.
      """
  }

  /// What one person can see of themselves.
  private static var conditions: [String] {
    ScenarioCondition.forms.filter { !$0.hasPrefix("together") }
  }

  private static func verb(of form: String) -> String { String(form.prefix { $0 != " " }) }
}
