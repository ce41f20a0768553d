import GroupSessions
import UserNotifications
import YAML

// Conditions about notifications and invitations.
extension ScenarioCondition {
  /// Reads one; `nil` if the word begins none.
  static func notifications(
    _ first: String, _ words: inout Words
  ) throws(PhraseError) -> ScenarioCondition? {
    switch first {
    case "notification": return .notification(try words.text())
    case "withdrawn": return .withdrawn(try words.text())
    case "invitation":
      return .invitation(
        try words.next("a person"), try words.choice("what became of an invitation"))
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

  /// The people in this condition, who may have several devices, or none.
  var people: [String] {
    switch self {
    case .invitation(let person, _): [person]
    case .not(let condition): condition.people
    default: []
    }
  }
}
