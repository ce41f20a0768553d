import DequeModule
import UserNotifications
import Vocabulary

/// One person's notifications in the coordinator: their value, and what waits for its journal.
struct TrayAggregate: Sendable {
  var tray: NotificationTray
  /// What is being kept; commands behind it wait.
  var inFlight = Rare<TrayWork>.absent
  var waiting: Deque<TrayWork> = []
  /// Whether writing failed, and is tried again when the person is woken.
  var isResting = false

  init(_ tray: NotificationTray) {
    self.tray = tray
  }

  /// Takes the first command that waits; the room for those that did goes with the last of them.
  mutating func takeWaiting() -> TrayWork? {
    defer { if waiting.isEmpty { waiting = [] } }
    return waiting.popFirst()
  }

  /// Has a command wait, unless it adds nothing to those that do.
  ///
  /// Of what is for apps alone, the latest in each place is enough, for who finds a gap before it
  /// fetches what it is about. So nobody fills the memory by coming and going while nothing is kept.
  mutating func wait(_ work: TrayWork) {
    guard work.reply == nil else { return waiting.append(work) }
    if let place = work.collapseID {
      if let older = waiting.firstIndex(where: { $0.collapseID == place }) {
        waiting[older] = work
        return
      }
    } else if work.isAboutNow, waiting.contains(where: { $0.command == work.command }) {
      return
    }
    waiting.append(work)
  }

  /// Whether anything is being kept, or waits for that.
  var isAtWork: Bool { inFlight.isPresent || !waiting.isEmpty }

  /// Whether there is nothing to remember the person by.
  var isForgettable: Bool { tray.seq == 0 && !isAtWork && !isResting }

  /// When the person was last heard of, if nothing is under way: apps register when they start.
  var lastSeen: Instant? {
    guard !isAtWork, !isResting else { return nil }
    let known =
      tray.installations.map(\.registered).max() ?? tray.entries.map(\.notification.date).max()
    return known ?? Instant(microseconds: .min)
  }
}

/// A command for a person's notifications, and who waits for what becomes of it.
struct TrayWork: Sendable {
  let command: TrayCommand
  var reply: Reply?
  /// What is to be done once its events are kept.
  var effects: [TrayEffect] = []

  /// Whether it looks at how things are when it is carried out: one that waits does for two.
  fileprivate var isAboutNow: Bool {
    switch command {
    case .connected, .presenceChanged, .clockAdvanced: true
    default: false
    }
  }

  /// The place of what it posts, if that is for apps alone.
  fileprivate var collapseID: String? {
    guard case .post(let notification, _) = command, !notification.payload.isForUser else {
      return nil
    }
    return notification.collapseID
  }
}
