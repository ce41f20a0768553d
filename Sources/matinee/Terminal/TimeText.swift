import GroupSessions
import Playback
import Vocabulary

extension MediaTime {
  /// The position as `1:02:03.4`, or `2:03.4` within the first hour.
  var clockText: String {
    let tenths = max(0, microseconds / 100_000)
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
    let end = "\(twoDigits(seconds)).\(tenths % 10)"
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(end)" : "\(minutes):\(end)"
  }
}

private func twoDigits(_ number: Int64) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}

extension Instant {
  /// The date and time to the second, as in `2026-11-21 15:04:05 UTC`.
  var calendarText: String {
    let (day, rest) = calendarDay
    let second = rest / 1_000_000
    let date = [Int64(day.month), Int64(day.day)].map(twoDigits).joined(separator: "-")
    let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits)
    return "\(day.year)-\(date) \(time.joined(separator: ":")) UTC"
  }
}

extension Duration {
  /// The duration as a clock shows it, as in `1:02:03.4`.
  var clockText: String { (MediaTime.zero + self).clockText }

  /// The duration in milliseconds with one decimal, with a minus sign if it is negative.
  var millisecondsText: String {
    let tenths = (inMilliseconds * 10).rounded() / 10
    return "\(tenths) ms"
  }
}

extension Timeline {
  /// A text about the item's phase since its last event.
  var phaseText: String {
    switch phase {
    case .paused(let position): "paused at \(position.clockText)"
    case .preparing(let barrier):
      barrier.isFrozen
        ? "waits at \(barrier.from.clockText)" : "getting ready at \(barrier.from.clockText)"
    case .playing(let anchor):
      "playing from \(anchor.mediaTime.clockText)"
        + (rate == .normal ? "" : " at \(rate.factor)×")
    case .ended: "ended"
    }
  }
}

extension EndReason {
  /// A text about why the session ended; `name` returns a participant's name.
  func text(_ name: (ParticipantID) -> String) -> String {
    switch self {
    case .endedBy(let id): "\(name(id)) ended it for all"
    case .dismissedBy(let id): "\(name(id)) dismissed it for all"
    case .initiatorLeft: "the one who started it left"
    case .replaced(let session): "session \(session) took its place"
    case .withdrawn: "it was taken back"
    case .neverJoined: "nobody joined in time"
    case .empty: "everyone has left"
    case .groupClosed: "the group closed"
    case .serverShutdown: "the server was stopped"
    }
  }

  /// The same where no names are known.
  var namelessText: String { text { _ in "somebody" } }
}

extension Int64 {
  /// A size in bytes, in a suitable unit.
  var sizeText: String {
    guard self >= 1000 else { return "\(self) B" }
    var size = Double(self)
    var unit = 0
    // A value that would round to 1000.0 uses the next unit.
    while size >= 999.95, unit < 4 {
      size /= 1000
      unit += 1
    }
    return "\((size * 10).rounded() / 10) \(["B", "kB", "MB", "GB", "TB"][unit])"
  }
}

/// A count with its noun, in the plural unless the count is 1.
func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

extension Group {
  /// The members' names, sorted; keepers are left out.
  var peopleNames: [String] { people.map(\.name).sorted() }
}
