import Coordination
import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary

/// Rebuilds an aggregate from its events, one by one.
struct StreamReplay {
  /// The state after the last event; `nil` before the first event, and for an attachment,
  /// a device or a name.
  private(set) var state: AggregateState?

  init(from state: AggregateState? = nil) {
    self.state = state
  }

  /// Applies the next event.
  ///
  /// - Throws: if the first event is no beginning, or the event belongs to another kind of
  ///   aggregate.
  mutating func take(
    _ event: AggregateEvent, of aggregate: AggregateID, at instant: Instant
  ) throws(UnreadableRecord) {
    // Moved out, so that the state has one owner and is changed in place.
    let before = state
    state = nil
    switch (before, event, aggregate) {
    case (nil, .group(.opened(let founder)), .group(let id)):
      state = .group(Group(id: id, founder: founder))
    case (.group(var group)?, .group(let event), _):
      group.evolve(event)
      state = .group(group)
    case (nil, .session(.began(let beginning)), .session(let id)):
      state = .session(GroupSession(id: id, beginning))
    case (.session(var session)?, .session(let event), _):
      session.evolve(event, at: instant)
      state = .session(session)
    case (nil, .attachment, .attachment), (nil, .device(.greeted), .device), (nil, .name, .name):
      break
    case (nil, .user(let event), .user(let id)):
      var messaging = UserMessaging(id)
      messaging.evolve(event, at: instant)
      state = .user(messaging)
    case (.user(var messaging)?, .user(let event), _):
      messaging.evolve(event, at: instant)
      state = .user(messaging)
    case (nil, .tray(let event), .tray(let id)):
      var tray = NotificationTray(id)
      tray.evolve(event, at: instant)
      state = .tray(tray)
    case (.tray(var tray)?, .tray(let event), _):
      tray.evolve(event, at: instant)
      state = .tray(tray)
    default: throw UnreadableRecord("a stream cannot begin with this event")
    }
  }
}
