package import GroupSessions
package import Vocabulary

/// What is kept of one session: who it was, and what happened in it.
package struct SessionHistory: Equatable, Sendable {
  /// What it was.
  package let summary: SessionSummary
  /// Of one that goes on, its last kept state: a place to begin at where the beginning is gone.
  package let snapshot: State?
  /// What is kept of what happened, in order, without a gap.
  package let events: [Entry]

  /// One event.
  package struct Entry: Equatable, Sendable {
    package let seq: Int
    package let at: Instant
    package let event: SessionEvent

    /// An event at its place.
    package init(seq: Int, at: Instant, event: SessionEvent) {
      self.seq = seq
      self.at = at
      self.event = event
    }
  }

  /// The session after one of its events.
  package struct State: Equatable, Sendable {
    package let session: GroupSession
    /// When that was; of a snapshot, when it was taken.
    package let at: Instant

    /// A state at its time.
    package init(session: GroupSession, at: Instant) {
      self.session = session
      self.at = at
    }
  }

  /// A history.
  package init(summary: SessionSummary, snapshot: State?, events: [Entry]) {
    self.summary = summary
    self.snapshot = snapshot
    self.events = events
  }

  /// Whether all of it is there.
  package var isWhole: Bool { events.first?.seq == 1 }
  /// The number of the last event.
  package var last: Int { events.last?.seq ?? snapshot?.session.seq ?? 0 }

  /// The numbers of the events whose state can be made; `nil` if none can.
  package var replayable: ClosedRange<Int>? {
    guard last > 0 else { return nil }
    if isWhole { return 1...last }
    return snapshot.map { $0.session.seq...last }
  }

  /// The session as it was after an event, and when that was.
  ///
  /// - Returns: `nil` if it cannot be made; see ``replayable``.
  package func state(at seq: Int) -> State? {
    guard let replayable, replayable.contains(seq) else { return nil }
    var session: GroupSession
    var at = summary.began
    if isWhole, case .began(let beginning)? = events.first?.event {
      session = GroupSession(id: summary.session, beginning)
    } else if let snapshot {
      session = snapshot.session
      // The snapshot's own event may be gone.
      at = events.first { $0.seq == session.seq }?.at ?? snapshot.at
    } else {
      return nil
    }
    for entry in events where entry.seq > session.seq && entry.seq <= seq {
      session.evolve(entry.event, at: entry.at)
      at = entry.at
    }
    return State(session: session, at: at)
  }
}

/// A session that a journal holds, in a line.
package struct SessionSummary: Equatable, Sendable {
  /// Where it lies in the file.
  let stream: Int64
  package let session: SessionID
  /// Its group, and what was watched at first; `nil` where the beginning is gone.
  package internal(set) var group: GroupID?
  package internal(set) var title: String?
  package let began: Instant
  /// When it was over, and why; `nil` while it goes on.
  package let ended: Instant?
  package internal(set) var reason: EndReason?
  /// How many of its events are kept.
  package internal(set) var events = 0

  /// A session of which nothing more is known.
  package init(
    stream: Int64 = 0, _ session: SessionID, group: GroupID? = nil, title: String? = nil,
    began: Instant, ended: Instant? = nil, reason: EndReason? = nil, events: Int = 0
  ) {
    self.stream = stream
    self.session = session
    self.group = group
    self.title = title
    self.began = began
    self.ended = ended
    self.reason = reason
    self.events = events
  }
}
