import Coordination
import GroupSessions
import Vocabulary

/// What has been read of a journal so far.
struct ReadContents: ~Copyable {
  private(set) var contents = JournalContents()
  private(set) var live: [LiveStream] = []
  private var reader = RecordReader()

  /// Adds a live stream.
  mutating func take(_ read: ReadStream, of stream: JournalRow.Stream) {
    let recorded = read.recorded
    contents.streams.append(recorded)
    live.append(
      LiveStream(
        id: stream.id, aggregate: recorded.aggregate, began: stream.began,
        seq: (recorded.snapshot?.seq ?? 0) + recorded.events.count))
    if let instant = recorded.events.last?.at.microseconds ?? read.snapshotAt { note(instant) }
  }

  /// Adds a session that is over, by its last event.
  ///
  /// - Throws: ``NewerRecord``.
  mutating func take(endOf session: String, _ body: String, format: Int) throws {
    do {
      let event = try reader.event(body, of: .session, format: format)
      guard case .session(.ended(let reason)) = event else { return }
      contents.endings.append(SessionEnding(SessionID(session), reason))
    } catch let error as UnreadableRecord {
      contents.notices.append("how the session \(session) ended cannot be read: \(error)")
    }
  }

  /// Adds the tie of the group's time to a boot of the machine.
  mutating func take(clock boot: String, host: Int64, instant: Int64) {
    contents.clock = ClockTie(
      boot: boot, host: HostTime(microseconds: host), instant: Instant(microseconds: instant))
  }

  /// Notes that something happened at an instant, in microseconds.
  mutating func note(_ instant: Int64) {
    contents.latest = max(
      contents.latest ?? .init(microseconds: instant), .init(microseconds: instant))
  }

  /// Adds a notice that a stream cannot be understood, and returns it.
  mutating func noteUnreadable(
    _ stream: JournalRow.Stream, _ error: UnreadableRecord
  ) -> String {
    let notice =
      "the \(stream.kind) \(stream.name) cannot be read and is set aside as stream \(stream.id): "
      + "\(error)"
    contents.notices.append(notice)
    return notice
  }

  /// Drops events that no returning peer can need: a peer that was lost longer than the resume grace
  /// before the last event cannot resume.
  mutating func dropOutdated(_ limits: Limits) {
    guard let latest = contents.latest else { return }
    for place in contents.streams.indices {
      contents.streams[place].dropEarlier(before: latest - limits.resumeGrace)
    }
  }

  /// The instant of the oldest event that a returning peer may need.
  ///
  /// - Parameter latest: the instant of the last snapshot, in microseconds.
  /// - Returns: possibly too early an instant, because the last event is unknown until everything
  ///   is read.
  static func earliestNews(
    after latest: Int64?, _ limits: Limits, at now: Instant
  ) -> Instant {
    guard let latest else { return now }
    return Instant(microseconds: latest) - limits.resumeGrace
  }
}
