import GroupSessions
import UserNotifications
import Vocabulary
package import YAML

extension ScenarioCondition {
  /// The syntax of each condition.
  package static let forms = [
    "connected", "reconnecting", "eligible", "ineligible [REASON]",
    "outcome activationPreferred|activationDisabled|cancelled", "staged", "offered", "joined",
    "no session|notification",
    "invalidated [REASON] [by NAME]", "participants NAME…", "audience COUNT",
    "lost NAME…|nobody",
    "role host|coHost|guest|listener", "ready NAME…|nobody", "paused [at POSITION [±DURATION]]",
    "preparing", "playing", "ended",
    "position POSITION ±DURATION", "beyond POSITION", "rate FACTOR", "waiting for NAME…|nobody",
    "suspended REASON", "together within DURATION", "item NAME", "queue NAME…|nothing",
    "heard TEXT", "refused CODE", "sees CAMPAIGN|nothing", "stack CAMPAIGN…|nothing",
    "notification TEXT", "withdrawn TEXT",
    "invitation PERSON pending|accepted|declined|expired|revoked", "silent update",
    "mirror state|queue FIELD VALUE",
    "player runs|stands|untouched", "not CONDITION",
  ]

  /// Reads a condition.
  ///
  /// - Throws: what is wrong with the phrase, and what to write instead.
  package init(_ phrase: String) throws(PhraseError) {
    var words = try Words(phrase)
    self = try Self.read(&words)
    try words.finish()
  }

  private static func read(_ words: inout Words) throws(PhraseError) -> ScenarioCondition {
    let first = try words.next("a condition")
    if let condition = simple(first) { return condition }
    if let condition = try playback(first, &words) { return condition }
    if let condition = try notifications(first, &words) { return condition }
    return try people(first, &words)
  }

  private static func simple(_ word: String) -> ScenarioCondition? {
    switch word {
    case "connected": .connection(.connected)
    case "reconnecting": .connection(.reconnecting)
    case "eligible": .eligible
    case "staged": .staged
    case "offered": .offered
    case "joined": .joined
    case "preparing": .preparing
    case "playing": .playing
    case "ended": .ended
    default: nil
    }
  }

  private static func playback(
    _ first: String, _ words: inout Words
  ) throws(PhraseError) -> ScenarioCondition? {
    switch first {
    case "paused":
      guard words.take("at") else { return .paused(at: nil, tolerance: frameTolerance) }
      return .paused(at: try words.position(), tolerance: try words.tolerance(frameTolerance))
    case "position":
      return .position(try words.position(), tolerance: try words.tolerance(.milliseconds(250)))
    case "beyond": return .beyond(try words.position())
    case "rate": return .rate(try words.rate().factor)
    case "together":
      guard words.take("within") else { throw incomplete(first, "together within 40 ms") }
      return .together(within: try words.duration("a length of time"))
    case "player": return try player(&words)
    default: return nil
    }
  }

  private static func people(_ first: String, _ words: inout Words) throws(PhraseError)
    -> ScenarioCondition
  {
    switch first {
    case "ineligible": return .ineligible(words.next())
    case "outcome": return .outcome(try words.choice("an outcome", Outcome.self).rawValue)
    case "no":
      switch try words.choice("session or notification", Absent.self) {
      case .session: return .noSession
      case .notification: return .noNotification
      }
    case "invalidated":
      let reason = words.take("by") ? nil : words.next()
      let names = reason == nil || words.take("by")
      return .invalidated(reason, by: names ? words.next() : nil)
    case "participants": return .participants(words.takeAll().sorted())
    case "audience": return .audience(try words.count("a number of spectators"))
    case "lost": return .lost(names(&words))
    case "ready": return .ready(names(&words))
    case "role": return .role(try words.next("a role"))
    case "waiting":
      guard words.take("for") else { throw incomplete(first, "waiting for ben") }
      return .waitingFor(names(&words))
    case "suspended": return .suspended(try words.next("a reason"))
    case "item": return .item(try words.next("an item"))
    case "queue": return .queue(words.take("nothing") ? [] : words.takeAll())
    case "heard": return try .heard(words.isEmpty ? "" : words.text())
    case "refused": return .refused(try words.next("a code"))
    case "sees":
      let campaign = try words.next("a campaign")
      return .sees(campaign == "nothing" ? nil : campaign)
    case "stack": return .stack(words.take("nothing") ? [] : words.takeAll())
    case "not": return .not(try read(&words))
    default:
      let known = Set(forms.compactMap { $0.split(separator: " ").first.map(String.init) }).sorted()
      throw PhraseError("there is no condition `\(first)`", suggestion(for: first, known))
    }
  }

  private static func player(_ words: inout Words) throws(PhraseError) -> ScenarioCondition {
    let word = try words.next("what the player does")
    switch word {
    case "runs": return .playerRuns
    case "stands": return .playerStands
    case "untouched": return .playerUntouched
    default:
      throw PhraseError(
        "`player` does not accept `\(word)`",
        suggestion(for: word, ["runs", "stands", "untouched"]))
    }
  }

  private static func names(_ words: inout Words) -> [String] {
    words.take("nobody") ? [] : words.takeAll().sorted()
  }

  private static func incomplete(_ word: String, _ example: String) -> PhraseError {
    PhraseError("`\(word)` is not a complete condition", "write `\(example)`")
  }

  private enum Absent: String, CaseIterable { case session, notification }

  private enum Outcome: String, CaseIterable {
    case activationPreferred, activationDisabled, cancelled
  }
}

extension ScenarioCondition {
  /// The peers that the condition names.
  var peers: [String] {
    switch self {
    case .participants(let names), .lost(let names), .waitingFor(let names), .ready(let names):
      names
    case .invalidated(_, let name): name.map { [$0] } ?? []
    case .not(let condition): condition.peers
    default: []
    }
  }

  /// The campaigns that the condition names.
  var campaigns: [String] {
    switch self {
    case .sees(let name): name.map { [$0] } ?? []
    case .stack(let names): names
    case .not(let condition): condition.campaigns
    default: []
    }
  }

  /// The items that the condition names.
  var items: [String] {
    switch self {
    case .item(let name): [name]
    case .queue(let names): names
    case .not(let condition): condition.items
    default: []
    }
  }
}

// Conditions about notifications and invitations.
extension ScenarioCondition {
  /// Reads a condition about notifications; `nil` if the word does not begin one.
  static func notifications(
    _ first: String, _ words: inout Words
  ) throws(PhraseError) -> ScenarioCondition? {
    switch first {
    case "notification": return .notification(try words.text())
    case "withdrawn": return .withdrawn(try words.text())
    case "invitation":
      return .invitation(
        try words.next("a person"), try words.choice("a state of an invitation"))
    case "silent":
      try words.expect("update", of: first)
      return .silentUpdate
    case "mirror":
      return .mirror(
        try words.choice("a part of a session"), field: try words.next("a field"),
        try words.text())
    default: return nil
    }
  }

  /// The people that the condition names; they may have several devices, or none.
  var people: [String] {
    switch self {
    case .invitation(let person, _): [person]
    case .not(let condition): condition.people
    default: []
    }
  }
}
