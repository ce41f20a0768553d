import GroupSessions
import UserNotifications
import Vocabulary
import YAML

// Verbs about notifications and invitations.
extension Verb {
  /// Reads one; `nil` if the word begins none.
  static func readNotifications(
    _ first: String, _ words: inout Words
  ) throws(PhraseError) -> Verb? {
    switch first {
    case "subscribe": return .subscribe(try readSubject(&words))
    case "unsubscribe": return .unsubscribe(try readSubject(&words))
    case "publish": return .publish(TopicID(try words.next("a topic")), try words.text())
    case "push": return .push(try words.next("a person"), try words.text())
    case "invite": return try readInvitation(&words)
    case "revoke": return .revokeInvitations([try words.next("a person")] + words.takeAll())
    case "reply": return .reply(try words.text())
    case "accept":
      try words.expect("invitation", of: first)
      return .answerInvitation(.accepted, byToken: try readToken(&words))
    case "decline":
      guard let word = words.next() else { return .decline }
      guard word == "invitation" else { throw unknown(word, of: first, ["invitation"]) }
      return .answerInvitation(.declined, byToken: try readToken(&words))
    case "dismiss":
      guard let word = words.next() else { return .dismissMessage }
      guard word == "notification" else { throw unknown(word, of: first, ["notification"]) }
      return .dismissNotification
    default: return nil
    }
  }

  /// What becomes of the app.
  static func readApp(_ words: inout Words) throws(PhraseError) -> Verb {
    switch try words.choice("visible, hidden, started or ended", AppState.self) {
    case .visible: .setVisible(true)
    case .hidden: .setVisible(false)
    case .started: .setRunning(true)
    case .ended: .setRunning(false)
    }
  }

  /// A part of the session, or a topic such as `group/demo`.
  private static func readSubject(_ words: inout Words) throws(PhraseError) -> Subject {
    let word = try words.next("state, queue or a topic")
    if let part = SessionObject.Part(rawValue: word) { return .part(part) }
    guard word.contains("/") else {
      let parts = SessionObject.Part.allCases.map(\.rawValue)
      throw PhraseError(
        "`\(word)` is neither a part of a session nor a topic",
        "\(suggestion(for: word, parts)), or write a topic such as `group/demo`")
    }
    return .topic(TopicID(word))
  }

  private static func readInvitation(_ words: inout Words) throws(PhraseError) -> Verb {
    var people = [try words.next("a person")]
    while let word = words.next() {
      guard word != "for" else {
        return .invite(people, lifetime: try words.duration("a length of time"))
      }
      people.append(word)
    }
    return .invite(people, lifetime: nil)
  }

  private static func readToken(_ words: inout Words) throws(PhraseError) -> Bool {
    guard words.take("by") else { return false }
    try words.expect("token", of: "by")
    return true
  }

  private enum AppState: String, CaseIterable { case visible, hidden, started, ended }

  /// The people in this verb, who may have several devices, or none.
  var people: [String] {
    switch self {
    case .invite(let people, _), .revokeInvitations(let people): people
    case .push(let person, _): [person]
    default: []
    }
  }
}
