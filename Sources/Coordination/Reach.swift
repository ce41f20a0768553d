import UserNotifications
import Vocabulary

/// Whom notifications reach, as far as groups have to know: told by ``People``.
struct Reach: Equatable, Sendable {
  /// Who has a place for notifications.
  private var reachable: Set<UserID> = []
  /// Who hears of what groups start.
  private var subscribers: [TopicID: Set<UserID>] = [:]

  mutating func set(_ user: UserID, _ isReachable: Bool) {
    if isReachable { reachable.insert(user) } else { reachable.remove(user) }
  }

  mutating func set(_ user: UserID, of topic: TopicID, _ isSubscribed: Bool) {
    guard case .group? = TopicOwner(topic) else { return }
    if isSubscribed {
      subscribers[topic, default: []].insert(user)
    } else {
      subscribers[topic]?.remove(user)
      if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
    }
  }

  /// Everybody else of the group whom a notification can reach, and whoever wants to hear of it.
  ///
  /// Members without a place for notifications have the offer, and would learn of nothing else.
  func people(toInviteTo id: GroupID, of members: some Sequence<UserID>, by initiator: UserID)
    -> [UserID]
  {
    var people = id.topic.flatMap { subscribers[$0] } ?? []
    for member in members where reachable.contains(member) { people.insert(member) }
    people.remove(initiator)
    return people.sorted()
  }
}
