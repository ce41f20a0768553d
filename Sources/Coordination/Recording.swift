package import GroupSessions
package import InAppMessaging
package import Signatures
package import UserNotifications
package import Vocabulary

/// Identifies an aggregate and its event stream in the journal.
package enum AggregateID: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
  /// The data of one attachment.
  case attachment(AttachmentID)
  case device(DeviceID)
  case user(UserID)
  /// A person's notifications.
  case tray(UserID)
  /// Who a name belongs to.
  case name(UserID)
}

/// A journal's answer to an append.
package enum AppendOutcome: Equatable, Sendable {
  /// All of it is stored.
  case kept
  /// Another writer stored these events first; apply them, decide again and append again.
  case preceded(by: [RecordedEvent])
  /// Nothing is stored, because the disk is full or writing fails; it may work again later.
  case failed
  /// The database went away before it answered; another outcome of the same append follows.
  case unknown
}

/// An event of any aggregate.
package enum AggregateEvent: Equatable, Sendable {
  case group(GroupEvent)
  case session(SessionEvent)
  case attachment(AttachmentEvent)
  case device(DeviceEvent)
  indirect case user(MessagingEvent)
  indirect case tray(TrayEvent)
  case name(NameEvent)
}

/// What happened to a name.
package enum NameEvent: Equatable, Sendable {
  /// The name belongs to whoever shows this credential.
  case claimed(CredentialHash)
  /// Another device of the person has this credential.
  case paired(CredentialHash)
  /// The administrator took the name from the person.
  case freed
}

/// What happened to a device.
package enum DeviceEvent: Equatable, Sendable {
  /// It said hello and received this token for resuming.
  case greeted(Greeting)
}

/// The parts of a device's hello that outlive the connection.
package struct Greeting: Equatable, Sendable {
  package let identity: Identity
  package let token: Secret
  package let understandsSessions: Bool
  package let understandsAudiences: Bool

  package init(
    identity: Identity, token: Secret, understandsSessions: Bool,
    understandsAudiences: Bool = false
  ) {
    self.identity = identity
    self.token = token
    self.understandsSessions = understandsSessions
    self.understandsAudiences = understandsAudiences
  }
}

/// An event in the journal; its position in the stream is its number.
package struct RecordedEvent: Equatable, Sendable {
  package let at: Instant
  package let event: AggregateEvent

  package init(at: Instant, event: AggregateEvent) {
    self.at = at
    self.event = event
  }
}

/// A snapshot of an aggregate after one of its events, from which reading can begin.
///
/// Its cases are indirect, because it is a rare part of small and frequent values: outputs and
/// streams.
package enum AggregateState: Equatable, Sendable {
  indirect case group(Group)
  indirect case session(GroupSession)
  indirect case user(UserMessaging)
  indirect case tray(NotificationTray)

  /// The aggregate that this is a snapshot of.
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

/// A stream as the journal stored it.
package struct RecordedStream: Equatable, Sendable {
  package var aggregate: AggregateID
  /// The snapshot from which reading begins; `nil` if it begins with the first event.
  package var snapshot: AggregateState?
  /// The latest events, without a gap.
  ///
  /// They stay in this one array, from which resuming peers are served later, because a large
  /// server starts with a million of them.
  package private(set) var known: [RecordedEvent]
  /// How many of the known events the snapshot already contains.
  private var earlierCount: Int
  /// A device's latest answers.
  package var answers: AnswerMemory

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - aggregate: whose stream it is.
  ///   - snapshot: the state from which reading begins; `nil` if it begins with the first event.
  ///   - known: the latest events, beginning with those that the snapshot contains.
  ///   - earlierCount: how many of the known events the snapshot contains.
  ///   - answers: a device's latest answers.
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

  /// The events that the snapshot contains; peers that were disconnected may have missed them.
  package var earlier: ArraySlice<RecordedEvent> { known[..<earlierCount] }

  /// The events after the snapshot.
  package var events: ArraySlice<RecordedEvent> { known[earlierCount...] }

  package mutating func append(_ events: [RecordedEvent]) { known += events }

  /// Replaces the snapshot with one that contains all events.
  package mutating func shorten(to state: AggregateState) {
    snapshot = state
    known.removeFirst(earlierCount)
    earlierCount = known.count
  }

  /// Drops earlier events from before an instant.
  package mutating func dropEarlier(before start: Instant) {
    guard let first = earlier.first, first.at < start,
      let last = earlier.lastIndex(where: { $0.at < start })
    else { return }
    known = Array(known[(last + 1)...])
    earlierCount -= last + 1
  }
}

/// An ended session and the reason.
package struct SessionEnding: Equatable, Sendable {
  package let session: SessionID
  package let reason: EndReason

  package init(_ session: SessionID, _ reason: EndReason) {
    self.session = session
    self.reason = reason
  }
}
