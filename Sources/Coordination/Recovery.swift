import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary

/// Everything from the journal that a server continues with.
package struct Recovery: Sendable {
  var groups: [Group] = []
  var sessions: [RecoveredSession] = []
  var attachments: [AttachmentAggregate] = []
  var devices: [RecoveredDevice] = []
  var users: [RecoveredUser] = []
  var trays: [RecoveredTray] = []
  var names: [(user: UserID, name: NameAggregate)] = []
  var endings: [SessionEnding] = []

  struct RecoveredSession: Sendable {
    let session: GroupSession
    /// Its latest events, for peers that resume.
    let known: [RecordedEvent]
    /// The devices that left since its snapshot, and why.
    let departures: [DeviceID: LeaveReason]
  }

  struct RecoveredDevice: Sendable {
    let greeting: Greeting
    let answers: AnswerMemory
  }

  struct RecoveredUser: Sendable {
    let messaging: UserMessaging
    /// Whether the stream was about to be erased.
    let isOver: Bool
  }

  struct RecoveredTray: Sendable {
    let tray: NotificationTray
    /// Whether the stream was about to be erased.
    let isOver: Bool
  }

  /// A recovery from an empty journal.
  package init() {}

  /// Reserves memory for this many streams, most of which are devices.
  package mutating func reserve(_ count: Int) { devices.reserveCapacity(count) }

  /// Adds a stream.
  ///
  /// - Throws: that the stream's first event is missing.
  package mutating func take(_ stream: RecordedStream) throws(BrokenStream) {
    switch stream.aggregate {
    case .group(let id): groups.append(try Group(id, stream))
    case .session(let id):
      sessions.append(try RecoveredSession(id, stream))
    case .attachment: attachments.append(AttachmentAggregate(stream))
    case .user(let id): users.append(RecoveredUser(id, stream))
    case .tray(let id): trays.append(RecoveredTray(id, stream))
    case .name(let id): names.append((id, NameAggregate(stream)))
    case .device:
      guard case .device(.greeted(let greeting)) = stream.events.last?.event else {
        throw BrokenStream(aggregate: stream.aggregate)
      }
      devices.append(RecoveredDevice(greeting: greeting, answers: stream.answers))
    }
  }

  /// Sets the ended sessions, the latest last.
  package mutating func take(_ endings: [SessionEnding]) {
    self.endings = endings
  }
}

/// A stream that does not begin with the event that creates its aggregate.
package struct BrokenStream: Error, Equatable, Sendable {
  package let aggregate: AggregateID
}

extension Group {
  /// Restores a group from a stream.
  fileprivate init(_ id: GroupID, _ stream: RecordedStream) throws(BrokenStream) {
    var events = stream.events
    if case .group(let group) = stream.snapshot {
      self = group
    } else if case .group(.opened(let founder)) = events.popFirst()?.event {
      self = Group(id: id, founder: founder)
    } else {
      throw BrokenStream(aggregate: stream.aggregate)
    }
    for record in events {
      if case .group(let event) = record.event { evolve(event) }
    }
  }
}

extension NameAggregate {
  /// Restores a name from a stream.
  fileprivate init(_ stream: RecordedStream) {
    self.init()
    for record in stream.events {
      if case .name(let event) = record.event { evolve(event, at: record.at) }
    }
  }
}

extension Recovery.RecoveredUser {
  /// Restores a person's messages from a stream.
  fileprivate init(_ id: UserID, _ stream: RecordedStream) {
    var messaging = UserMessaging(id)
    if case .user(let snapshot) = stream.snapshot { messaging = snapshot }
    for record in stream.events {
      if case .user(let event) = record.event { messaging.evolve(event, at: record.at) }
    }
    self.init(
      messaging: messaging,
      isOver: messaging.isBlank || stream.events.last?.event == .user(.wiped))
  }
}

extension Recovery.RecoveredTray {
  /// Restores a tray from a stream.
  fileprivate init(_ id: UserID, _ stream: RecordedStream) {
    var tray = NotificationTray(id)
    if case .tray(let snapshot) = stream.snapshot { tray = snapshot }
    for record in stream.events {
      if case .tray(let event) = record.event { tray.evolve(event, at: record.at) }
    }
    self.init(tray: tray, isOver: tray.isBlank || stream.events.last?.event == .tray(.wiped))
  }
}

extension Recovery.RecoveredSession {
  /// Restores a session from a stream.
  fileprivate init(_ id: SessionID, _ stream: RecordedStream) throws(BrokenStream) {
    var session: GroupSession
    var events = stream.events
    if case .session(let snapshot) = stream.snapshot {
      session = snapshot
    } else if case .session(.began(let beginning)) = events.popFirst()?.event {
      session = GroupSession(id: id, beginning)
    } else {
      throw BrokenStream(aggregate: stream.aggregate)
    }
    var departures: [DeviceID: LeaveReason] = [:]
    for record in events {
      guard case .session(let event) = record.event else { continue }
      if case .left(let participant, let reason) = event,
        let device = session.participants[participant]?.device
      {
        departures[device] = reason
      }
      session.evolve(event, at: record.at)
    }
    self.init(session: session, known: stream.known, departures: departures)
  }
}
