package import GroupSessions
package import InAppMessaging
package import Vocabulary

/// One event stream of the journal.
package enum AggregateID: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
  case device(DeviceID)
  case user(UserID)
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

  /// Whose state it is.
  package var aggregate: AggregateID {
    switch self {
    case .group(let group): .group(group.id)
    case .session(let session): .session(session.id)
    case .user(let messaging): .user(messaging.id)
    }
  }

  /// The number of the last event in it.
  package var seq: Int {
    switch self {
    case .group(let group): group.seq
    case .session(let session): session.seq
    case .user(let messaging): messaging.seq
    }
  }
}

/// A stream as the journal kept it.
package struct RecordedStream: Equatable, Sendable {
  package var aggregate: AggregateID
  /// Where reading begins; `nil` at the first event.
  package var snapshot: AggregateState?
  /// The last events up to the snapshot, without a gap: it holds what they did, but peers that
  /// were away may have missed them.
  package var earlier: [RecordedEvent]
  /// The events behind the snapshot, without a gap.
  package var events: [RecordedEvent]
  /// Of a device, its late answers.
  package var answers: [RecordedAnswer]

  /// A stream.
  package init(
    _ aggregate: AggregateID, snapshot: AggregateState? = nil, earlier: [RecordedEvent] = [],
    events: [RecordedEvent] = [], answers: [RecordedAnswer] = []
  ) {
    self.aggregate = aggregate
    self.snapshot = snapshot
    self.earlier = earlier
    self.events = events
    self.answers = answers
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
