package import GroupSessions
internal import Naming
internal import Vocabulary
package import Wire

/// Who asks: the columns of the table of rights.
package enum Person: String, CaseIterable, Sendable {
  case stranger, member, founder, listener, guest, coHost = "co-host", host, administrator

  fileprivate var role: Role? {
    switch self {
    case .listener: .listener
    case .coHost: .coHost
    case .stranger, .member, .founder, .guest, .host, .administrator: nil
    }
  }
}

/// A group with a key, its founder, a session with everybody in it, and somebody elsewhere.
package struct RightsScene<Stage: RightsStage> {
  package var stage: Stage
  /// What the requests are about.
  package let subject: RightsSubject

  /// What requests that say that somebody is not the right person, or in the wrong place, get.
  private static var refusals: Set<ErrorCode> {
    [
      .forbidden, .notFounder, .notInGroup, .notJoined, .notEligible, .notYourTopic, .wrongKey,
      .keyRequired, .unknownSession, .unproved, .noPerson, .alreadyInGroup,
    ]
  }

  /// Brings everybody in.
  ///
  /// - Parameters:
  ///   - number: part of all names, so that scenes share a server.
  ///   - isStaged: whether the host has only staged the session.
  package init(
    _ stage: Stage, number: Int, control: ControlPolicy, isStaged: Bool = false
  ) throws {
    var stage = stage
    let names = RightsSubject.Names(number: number)
    let founder = names.device(.founder)
    try stage.greet(founder)
    try stage.done(founder, .joinGroup(names.group, key: stage.foundingKey))
    let key = try stage.key(of: names.group, toldTo: founder)
    let people = [Person.host, .coHost, .guest, .listener].map(names.device) + [names.other]
    for device in people + [names.device(.member)] {
      try stage.greet(device)
      try stage.done(device, .joinGroup(names.group, key: key))
    }
    let stranger = names.device(.stranger)
    try stage.greet(stranger)
    try stage.done(stranger, .joinGroup(names.otherGroup, key: stage.foundingKey))
    try stage.done(stranger, .leaveGroup)
    try stage.administer(as: names.device(.administrator))
    let host = names.device(.host)
    let activation = Activation(.film(), control: control)
    guard
      case .activated(let session, _, _) = try stage.done(
        host, isStaged ? .stage(activation) : .activate(activation))
    else { throw NoScene("no session") }
    var participants: [DeviceID: ParticipantID] = [:]
    for device in isStaged ? [] : people {
      guard
        case .joined(_, let participant) = try stage.done(device, .join(session, handoffFrom: nil))
      else {
        throw NoScene("\(device) did not join")
      }
      participants[device] = participant
    }
    for person in Person.allCases {
      guard let role = person.role, let id = participants[names.device(person)] else { continue }
      try stage.done(host, .setRole(session, id, role))
    }
    self.stage = stage
    subject = RightsSubject(
      names: names, session: session, other: participants[names.other] ?? "nobody")
  }

  /// Has somebody make a request.
  ///
  /// - Returns: whether they are allowed to, and whether something came of it.
  package mutating func answer(
    _ request: Request, by person: Person
  ) throws -> (isAllowed: Bool, isDone: Bool) {
    switch try stage.ask(subject.names.device(person), request) {
    case .success: (true, true)
    case .failure(let error): (!Self.refusals.contains(error.code), false)
    }
  }
}

extension RightsStage {
  /// Makes a request that has to succeed.
  @discardableResult
  fileprivate mutating func done(_ device: DeviceID, _ request: Request) throws -> Answer {
    do {
      return try ask(device, request).get()
    } catch let error as ProtocolError {
      throw NoScene("\(device), \(request.name): \(error)")
    }
  }
}

extension GroupActivity {
  /// An activity with a film of that name.
  package static func film(_ name: String = "film") -> GroupActivity {
    GroupActivity(
      type: "watch", payload: JSONText(validated: #"{"film":"\#(name)"}"#),
      metadata: GroupActivityMetadata(
        title: "Watch \(name)", fallbackURL: "https://example.org/\(name)"),
      media: .film(name))
  }
}

extension MediaItem {
  package static func film(_ name: String) -> MediaItem {
    MediaItem(item: ItemID(name), url: "https://example.org/\(name).mp4")
  }
}
