package import GroupSessions
package import InAppMessaging
package import UserNotifications
package import Vocabulary

/// One event stream of the journal.
package enum AggregateID: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
  case device(DeviceID)
  case user(UserID)
  /// A person's notifications.
  case tray(UserID)
}

/// What a journal says to an append.
package enum AppendOutcome: Equatable, Sendable {
  /// All of it is kept, at its place.
  case kept
  /// Somebody was first: these events stand where ours should have gone. Take them in, decide
  /// again, append again.
  case preceded(by: [RecordedEvent])
  /// Nothing of it is kept: the disk is full, or writing fails. Later it may work again.
  case failed
}

/// An event of any aggregate.
package enum AggregateEvent: Equatable, Sendable {
  case group(GroupEvent)
  case session(SessionEvent)
  case device(DeviceEvent)
  indirect case user(MessagingEvent)
  indirect case tray(TrayEvent)
}

/// What happened to a device.
package enum DeviceEvent: Equatable, Sendable {
  /// It said hello, and was given this token to resume with.
  case greeted(Greeting)
}

/// A device's hello, as far as it outlives the connection.
package struct Greeting: Equatable, Sendable {
  package let identity: Identity
  package let token: ResumeToken
  package let understandsSessions: Bool

  /// A hello.
  package init(identity: Identity, token: ResumeToken, understandsSessions: Bool) {
    self.identity = identity
    self.token = token
    self.understandsSessions = understandsSessions
  }
}

/// An event as the journal keeps it; its place in the stream is its number.
package struct RecordedEvent: Equatable, Sendable {
  package let at: Instant
  package let event: AggregateEvent

  /// An event that happened at that instant.
  package init(at: Instant, event: AggregateEvent) {
    self.at = at
    self.event = event
  }
}

/// An aggregate as it was after one of its events: a place to begin reading at.
///
/// Indirect, since it stands among values that are many and small: outputs, and recorded streams.
package enum AggregateState: Equatable, Sendable {
  indirect case group(Group)
  indirect case session(GroupSession)
  indirect case user(UserMessaging)
  indirect case tray(NotificationTray)

  /// Whose state it is.
  package var aggregate: AggregateID {
    switch self {
    case .group(let group): .group(group.id)
    case .session(let session): .session(session.id)
    case .user(let messaging): .user(messaging.id)
    case .tray(let tray): .tray(tray.user)
    }
  }

  /// The number of the last event in it.
  package var seq: Int {
    switch self {
    case .group(let group): group.seq
    case .session(let session): session.seq
    case .user(let messaging): messaging.seq
    case .tray(let tray): tray.seq
    }
  }
}

/// A stream as the journal kept it.
package struct RecordedStream: Equatable, Sendable {
  package var aggregate: AggregateID
  /// Where reading begins; `nil` at the first event.
  package var snapshot: AggregateState?
  /// The last events, without a gap.
  ///
  /// One array, that those who resume are told from in the end: there are a million in a large
  /// start.
  package private(set) var known: [RecordedEvent]
  /// How many of the known events the snapshot holds.
  private var earlierCount: Int
  /// Of a device, its late answers.
  package var answers: AnswerMemory

  /// A stream.
  ///
  /// - Parameters:
  ///   - known: the last events, those first that the snapshot holds.
  ///   - earlierCount: how many these are.
  package init(
    _ aggregate: AggregateID, snapshot: AggregateState? = nil, known: [RecordedEvent] = [],
    earlierCount: Int = 0, answers: AnswerMemory = AnswerMemory()
  ) {
    self.aggregate = aggregate
    self.snapshot = snapshot
    self.known = known
    self.earlierCount = earlierCount
    self.answers = answers
  }

  /// The last events up to the snapshot: it holds what they did, but peers that were away may have
  /// missed them.
  package var earlier: ArraySlice<RecordedEvent> { known[..<earlierCount] }

  /// The events behind the snapshot.
  package var events: ArraySlice<RecordedEvent> { known[earlierCount...] }

  /// Adds events behind the last one.
  package mutating func append(_ events: [RecordedEvent]) { known += events }

  /// Begins reading at this state, in which all events are.
  package mutating func shorten(to state: AggregateState) {
    snapshot = state
    known.removeFirst(earlierCount)
    earlierCount = known.count
  }

  /// Forgets earlier events from before an instant.
  package mutating func dropEarlier(before start: Instant) {
    guard let first = earlier.first, first.at < start,
      let last = earlier.lastIndex(where: { $0.at < start })
    else { return }
    known = Array(known[(last + 1)...])
    earlierCount -= last + 1
  }
}

/// How a session ended.
package struct SessionEnding: Equatable, Sendable {
  package let session: SessionID
  package let reason: EndReason

  /// An ending.
  package init(_ session: SessionID, _ reason: EndReason) {
    self.session = session
    self.reason = reason
  }
}
