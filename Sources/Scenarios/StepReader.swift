import YAML

/// Reads the steps of a scenario; its names are checked against those of the scenario.
struct StepReader {
  /// Words of steps that cannot be names of peers.
  static let reserved = ["all", "others", "at", "after", "see", "phase", "server"] + times
  private static let times = ["within", "for", "throughout"]

  let names: [String]
  /// The users of the peers' devices.
  let people: [String]
  let items: [String]
  /// The campaigns whose messages may be seen.
  let campaigns: [String]
  /// The peers with a real player, which cannot be made to stall.
  let withRealPlayers: Set<String>

  func read(_ node: FileNode) throws(FileError) -> ScenarioStep {
    var moment: ScenarioStep.Moment?
    var phase: String?
    var server: [ServerVerb] = []
    var cues: [ScenarioStep.Cue] = []
    var expectationNodes: [FileNode] = []
    for (key, value) in try node.pairs("a step") {
      switch try key.text("a name") {
      case "at": moment = .at(try value.duration("a time"))
      case "after": moment = .after(try value.duration("a pause"))
      case "phase": phase = try value.text("the name of a phase")
      case "server":
        for word in try value.elementsOrSelf() {
          server.append(try word.choice("a server action"))
        }
      case "see": expectationNodes = try value.elementsOrSelf()
      case let who:
        for name in try peers(who, in: key, others: []) {
          for phrase in try value.elementsOrSelf() { cues.append(try cue(name, phrase)) }
        }
      }
    }
    guard let moment else {
      throw node.error("the step has no time", "add `at: 1.5`, or `after: 0.2`")
    }
    var step = ScenarioStep(moment: moment, phase: phase, server: server, cues: cues)
    let actors = Set(cues.map(\.peer))
    for node in expectationNodes { step.expectations += try expectations(node, actors) }
    return step
  }

  private func cue(_ name: String, _ node: FileNode) throws(FileError) -> ScenarioStep.Cue {
    let phrase = try node.text("a verb")
    let verb = try node.reading { () throws(PhraseError) in try Verb(phrase) }
    try check(verb.peers, verb.items, in: node)
    try check(people: verb.people, in: node)
    if case .stall = verb, withRealPlayers.contains(name) {
      throw node.error(
        "\(name) plays with mpv, which cannot be told to stall",
        "write `network stall 2`, or give \(name) a simulated player")
    }
    return ScenarioStep.Cue(name, verb, text: phrase)
  }

  private func expectations(
    _ node: FileNode, _ actors: Set<String>
  ) throws(FileError) -> [Expectation] {
    var found: [Expectation] = []
    var times: [String: Duration] = [:]
    for (key, value) in try node.pairs("an expectation") {
      switch try key.text("a name") {
      case let word where Self.times.contains(word):
        times[word] = try value.duration("a length of time")
      case let who:
        let names = try peers(who, in: key, others: actors)
        for phrase in try value.elementsOrSelf() {
          let text = try phrase.text("a condition")
          let condition = try phrase.reading { () throws(PhraseError) in try ScenarioCondition(text)
          }
          try check(condition.peers, condition.items, in: phrase)
          try check(campaigns: condition.campaigns, in: phrase)
          try check(people: condition.people, in: phrase)
          found.append(
            Expectation(
              peers: names, condition: condition, manner: .once(within: .zero), text: text,
              line: phrase.line))
        }
      }
    }
    guard !found.isEmpty else {
      throw node.error("no condition is given here", "write `all: playing`, or leave `see` out")
    }
    let manner = try manner(times, in: node)
    for index in found.indices { found[index].manner = manner }
    return found
  }

  private func manner(
    _ times: [String: Duration], in node: FileNode
  ) throws(FileError) -> Expectation.Manner {
    let within = times["within"] ?? .seconds(1)
    guard let throughout = times["throughout"] else {
      return times["for"].map { .lasting($0, within: within) } ?? .once(within: within)
    }
    guard times.count == 1 else {
      throw node.error(
        "`throughout` cannot be combined with other times",
        "leave out either `throughout`, or `within` and `for`")
    }
    return .throughout(throughout)
  }

  /// The peers that a key names: `all`, `others`, or one or more names.
  private func peers(
    _ text: String, in node: FileNode, others actors: Set<String>
  ) throws(FileError) -> [String] {
    if text == "all" { return names }
    let chosen =
      text == "others"
      ? names.filter { !actors.contains($0) }
      : text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    guard !chosen.isEmpty else {
      throw node.error("this is about nobody", "write `all`, or the names of peers")
    }
    try check(chosen, [], in: node)
    return chosen
  }

  private func check(
    _ people: [String], _ things: [String], in node: FileNode
  ) throws(FileError) {
    for name in people where !names.contains(name) {
      throw node.error("nobody is called `\(name)`", suggestion(for: name, names))
    }
    for name in things where !items.contains(name) {
      throw node.error(
        "no item is called `\(name)`", "\(suggestion(for: name, items)), or add it to `items:`")
    }
  }

  private func check(people names: [String], in node: FileNode) throws(FileError) {
    for name in names where !people.contains(name) {
      throw node.error("no person is called `\(name)`", suggestion(for: name, people))
    }
  }

  private func check(campaigns names: [String], in node: FileNode) throws(FileError) {
    for name in names where !campaigns.contains(name) {
      throw node.error(
        "no campaign is called `\(name)`",
        campaigns.isEmpty
          ? "add `campaigns:`, such as `campaigns: shipped`"
          : "\(suggestion(for: name, campaigns)), or add it to `campaigns:`")
    }
  }
}
