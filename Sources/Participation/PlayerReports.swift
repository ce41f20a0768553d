import Playback
import Vocabulary

// What a player's side tells the server: that the item is open here, that the player can follow,
// and where it is.

/// What the server was told of the item that is open here.
struct Announcement: Equatable, Sendable {
  /// The participant for which the item was announced as open.
  private var participant: ParticipantID?
  /// The item that is followed before the server has answered that it is current here.
  private var anticipated: ItemID?
  /// The seekable range of live content, and the one that the server was told.
  private var window: ToldSeekWindow?
  private var toldWindow: ToldSeekWindow?

  /// Whether the item was announced for this participant; for `nil`, whether it was for nobody.
  func isMade(for participant: ParticipantID?) -> Bool { self.participant == participant }

  mutating func make(for participant: ParticipantID) { self.participant = participant }
  mutating func retract() { participant = nil }

  /// Retracts the announcement because the session is over; the player's range remains.
  mutating func end() { (participant, anticipated) = (nil, nil) }

  /// Whether the item is followed before the server has answered that it is current here.
  func anticipates(_ item: ItemID) -> Bool { anticipated == item }
  mutating func anticipate(_ item: ItemID) { anticipated = item }

  /// Notes that the server has answered for the item.
  mutating func settle(_ item: ItemID) { if anticipated == item { anticipated = nil } }

  /// Notes the range at an instant of the group's time; returns whether the server knows another.
  mutating func note(_ window: SeekWindow, at instant: Instant) -> Bool {
    self.window = .told(window, at: instant)
    return toldWindow.map { !$0.window(at: instant).isSame(as: window) } ?? true
  }

  /// The range to tell the server now, which counts as told; `nil` if there is none.
  mutating func tellWindow(at instant: Instant) -> SeekWindow? {
    guard let window else { return nil }
    toldWindow = window
    return window.window(at: instant)
  }
}

/// The ready reports of a player, each made once.
struct ReadyAnswers: Equatable, Sendable {
  private var last: ReadyReport?

  /// The report that the player can follow an item's timeline from an event on; `nil` if no barrier
  /// and no suspension asks for it, or if it was made.
  mutating func answer(
    _ phase: Timeline.Phase, seq: Int, of item: ItemID, standing: [Suspension]
  ) -> ReadyReport? {
    let imposed = standing.last { $0.isImposed }?.id
    if case .preparing = phase {} else if imposed == nil { return nil }
    let answer = ReadyReport(item: item, seq: seq, imposed: imposed)
    guard answer != last else { return nil }
    last = answer
    return answer
  }

  /// Takes back the last report, so that it can be made again; returns whether it was this one.
  mutating func takeBack(_ report: ReadyReport) -> Bool {
    guard last == report else { return false }
    last = nil
    return true
  }

  mutating func forget() { last = nil }
}

/// What a ready report answers; each combination is reported once.
struct ReadyReport: Equatable, Sendable {
  let item: ItemID
  let seq: Int
  let imposed: SuspensionID?
}

/// The pace of position reports: one per interval, and one soon after a change.
struct PositionPace: Equatable, Sendable {
  /// For people who watch the participants' positions.
  private static let interval = Duration.seconds(5)

  /// When the next report is due.
  private var due = HostTime(microseconds: 0)

  /// Makes a report due, because the player's state has changed.
  mutating func hurry(at now: HostTime) { due = now }

  /// Whether a report is due; if it is, it counts as made.
  mutating func allows(at moment: HostTime) -> Bool {
    guard moment >= due else { return false }
    due = moment + Self.interval
    return true
  }
}

extension CoordinatedPlayback {
  /// Whether a late joiner of an item follows it at once, because it runs; waiting for the answer
  /// would cost a round trip of playback.
  func admitsAtOnce(to item: ItemID) -> Bool {
    guard !waitingPolicy.waitsForLateJoiners, case .playing = timelines[item]?.phase else {
      return false
    }
    return true
  }
}
