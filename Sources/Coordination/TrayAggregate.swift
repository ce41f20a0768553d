import DequeModule
import UserNotifications
import Vocabulary
import Wire

/// A person's notifications as an aggregate.
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

  static func isFoundAnew(_ command: TrayCommand) -> Bool { TrayWork(command: command).isAboutNow }

  /// Adds a command to the waiting ones, unless they already cover it.
  ///
  /// Of silent notifications with the same collapse identifier the latest is enough, because an app
  /// that notices a gap fetches the state, and a fact is not told twice in a row. So repeated changes
  /// and reconnections cannot fill the memory while nothing can be stored.
  static func enqueue(_ work: TrayWork, behind waiting: inout WaitingCommands<TrayCommand>) {
    guard work.reply == nil else { return waiting.append(work) }
    if let collapseID = work.collapseID {
      if let older = waiting.firstIndex(where: { $0.reply == nil && $0.collapseID == collapseID }) {
        waiting[older] = work
        return
      }
    } else if work.isAboutNow, waiting.contains(where: { $0.command == work.command }) {
      return
    } else if let last = waiting.last, last.reply == nil, last.command == work.command {
      return
    }
    waiting.append(work)
  }

  static func recorded(_ event: TrayEvent) -> AggregateEvent { .tray(event) }

  static func event(in recorded: AggregateEvent) -> TrayEvent? {
    if case .tray(let event) = recorded { event } else { nil }
  }

  static func weight(of event: TrayEvent) -> Int { 256 + event.bytes }
}

typealias TrayWork = Work<TrayCommand>

extension TrayWork {
  /// Whether it reads the state when it is carried out, so that one waiting command does for
  /// several.
  fileprivate var isAboutNow: Bool {
    switch command {
    case .connected, .presenceChanged, .clockAdvanced: true
    default: false
    }
  }

  /// The collapse identifier of a silent notification that the command posts.
  fileprivate var collapseID: String? {
    guard case .post(let notification, _) = command, !notification.payload.isForUser else {
      return nil
    }
    return notification.collapseID
  }
}
