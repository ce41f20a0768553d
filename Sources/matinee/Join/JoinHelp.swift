import Scenarios

/// What `help` prints.
enum JoinHelp {
  static var text: String {
    let forScenarios: Set = ["stall", "press", "network"]
    let verbs = Verb.forms.filter { form in
      !forScenarios.contains(String(form.prefix { $0 != " " }))
    }
    return """
      Verbs, one a line:
        \(verbs.joined(separator: "\n  "))
        \(EventVerb.forms.joined(separator: "\n  "))
        status      who is here and where playback stands; so does return alone
        quit        leave, and end
      A PLACE is seconds or 1:02:03. An ITEM is a file or a URL.
      A message on screen is worked by numbers, tab, up, down, esc and return, each with return.
      """
  }
}
