import DequeModule
import UserNotifications
import Vocabulary
import Wire

/// A person's notifications as their lane has them.
struct TrayAggregate: Aggregate {
  private(set) var tray: NotificationTray

  init(_ tray: NotificationTray) {
    self.tray = tray
  }

  var seq: Int { tray.seq }
  var isForgettable: Bool { tray.seq > 0 && tray.isBlank }

  func decide(
    _ work: TrayWork, at now: Instant, under conditions: TrayConditions
  ) throws(ProtocolError) -> Decision<TrayEvent, TrayEffect> {
    do throws(TrayRejection) {
      let decision = try tray.decide(work.command, at: now, under: conditions)
      return Decision(
        events: decision.events, effects: decision.effects, answer: .done(seq: nil))
    } catch { throw ProtocolError(error) }
  }

  mutating func evolve(_ event: TrayEvent, at now: Instant) { tray.evolve(event, at: now) }

  static func endsBatch(_ command: TrayCommand) -> Bool { command == .wipe }

  /// Has a command wait, unless it adds nothing to those that do.
  ///
  /// Of what is for apps alone, the latest in each place is enough, for who finds a gap before it
  /// fetches what it is about. So nobody fills the memory by coming and going while nothing is kept.
  static func enqueue(_ work: TrayWork, behind waiting: inout WaitingCommands<TrayCommand>) {
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

  static func recorded(_ event: TrayEvent) -> AggregateEvent { .tray(event) }

  static func event(in recorded: AggregateEvent) -> TrayEvent? {
    if case .tray(let event) = recorded { event } else { nil }
  }

  /// A notification's payload has 4 KB at most.
  static func weight(of event: TrayEvent) -> Int {
    if case .posted = event { 4_096 } else { 256 }
  }
}

typealias TrayWork = Work<TrayCommand>

extension TrayWork {
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

/// One person's notifications in the coordinator.
struct TrayRoom: Sendable {
  var lane: Lane<TrayAggregate>

  init(_ tray: NotificationTray) {
    lane = Lane(TrayAggregate(tray))
  }

  var tray: NotificationTray {
    _read { yield lane.state.tray }
  }

  /// Whether there is nothing to remember the person by.
  var isForgettable: Bool { tray.seq == 0 && !lane.isAtWork && !lane.isPaused }

  /// When the person was last heard of, if nothing is under way: apps register when they start.
  var lastSeen: Instant? {
    guard !lane.isAtWork, !lane.isPaused else { return nil }
    let known =
      tray.installations.map(\.registered).max() ?? tray.entries.map(\.notification.date).max()
    return known ?? Instant(microseconds: .min)
  }
}
