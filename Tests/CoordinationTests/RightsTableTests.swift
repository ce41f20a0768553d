import GroupSessions
import InAppMessaging
import Naming
import Playback
import ProtocolReading
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// The article's table of rights is what the server does: every request by everybody.
@Suite struct RightsTableTests {
  /// Who asks: the columns of the table.
  private enum Person: String, CaseIterable {
    case stranger, member, founder, listener, guest, coHost = "co-host", host, administrator

    var device: DeviceID { self == .administrator ? "admin" : DeviceID(rawValue) }

    var role: Role? {
      switch self {
      case .listener: .listener
      case .guest: .guest
      case .coHost: .coHost
      case .host: .host
      case .stranger, .member, .founder, .administrator: nil
      }
    }
  }

  /// The refusals that say that somebody is not the right person, or not in the right place.
  private static let refusals: Set<ErrorCode> = [
    .forbidden, .notFounder, .notInGroup, .notJoined, .notEligible, .notYourTopic, .wrongKey,
    .keyRequired, .unknownSession, .unproved, .noPerson,
  ]

  /// A group with a key, its founder, a session with everybody in it, and somebody elsewhere.
  private struct Scene {
    var door: KeyedDoor
    let session: SessionID
    var other: ParticipantID

    /// - Parameter isStaged: whether the host has only staged the session.
    init(_ control: ControlPolicy, isStaged: Bool = false) throws {
      door = try KeyedDoor()
      door.greet("founder")
      try door.stage.ask("founder", .joinGroup("g", key: KeyedDoor.keys.founding.text))
      try door.enter("host", "co-host", "guest", "listener", "other", "member")
      door.greet("stranger")
      try door.stage.ask("stranger", .joinGroup("h", key: KeyedDoor.keys.founding.text))
      try door.stage.ask("stranger", .leaveGroup)
      door.administer()
      let activation = Activation(Stage.movie(), control: control)
      guard !isStaged else {
        guard case .activated(let id, _, _) = try door.stage.ask("host", .stage(activation)) else {
          throw ProtocolError(.busy)
        }
        (session, other) = (id, "nobody")
        return
      }
      session = try door.stage.activate("host", activation)
      for device in ["host", "co-host", "guest", "listener", "other"] as [DeviceID] {
        try door.stage.join(device, session)
      }
      for person in [Person.coHost, .listener] {
        let participant = try #require(door.stage[person.device].participant)
        try door.stage.ask("host", .setRole(session, participant, try #require(person.role)))
      }
      other = try #require(door.stage["other"].participant)
    }

    /// Whether somebody is let do something.
    mutating func permits(_ request: Request, by person: Person) throws -> Bool {
      let id = door.stage.post(request, from: person.device)
      guard case .failure(let error)? = door.stage[person.device].answers[id]?.first else {
        return true
      }
      return !RightsTableTests.refusals.contains(error.code)
    }
  }

  /// One of each kind, as somebody would ask who may.
  ///
  /// - Parameter key: what they have for the administrator's key.
  private static func requests(
    _ session: SessionID, _ other: ParticipantID, _ key: String
  ) -> [Request] {
    let playback: [PlaybackCommand] = [
      .transition(to: "film"), .play("film"), .pause("film"), .seek("film", to: .zero),
      .setRate("film", .normal), .suspend(.playingInterstitial), .endSuspension(1),
      .ready("film", seq: 1), .reportEnd("film", seq: 1),
    ]
    let queue: [QueueCommand] = [
      .insert([Stage.media("next")], at: .end), .move("e1", to: .end), .remove("e1"), .clear,
      .select("e1"), .next(), .previous(), .setRepeat(.all), .shuffle(seed: 1), .unshuffle,
      .setAutoAdvance(false),
    ]
    return group + life(session) + steering(session, other)
      + playback.map { .playback(session, $0) } + queue.map { .queue(session, $0) }
      + messaging.map { .messaging($0) } + notifications(session, key).map { .notifications($0) }
  }

  /// Of a group, from inside and, by the administrator, from outside.
  private static let group: [Request] = [
    .joinGroup("g"), .leaveGroup, .closeGroup(), .closeGroup("g"), .changeKey(), .changeKey("g"),
    .removeUser("other"), .removeUser("other", from: "g"), .setSharing(true),
    .setPreferredDevice(nil), .status(), .renew(credential: "x"), .pair(), .pair("other"),
    .confirmPairing(true), .freeName("other"),
  ]

  private static func life(_ session: SessionID) -> [Request] {
    [
      .activate(Activation(Stage.movie("other"), ifBusy: .replace)),
      .stage(Activation(Stage.movie("other"), ifBusy: .replace)), .activateStaged(session),
      .withdraw(session), .join(session, handoffFrom: nil), .decline(session), .leave(session),
      .dismiss(session), .end(session), .answerInvitation(session, .accepted, seq: nil),
    ]
  }

  private static func steering(_ session: SessionID, _ other: ParticipantID) -> [Request] {
    [
      .setActivity(session, Stage.movie("other"), ifRevision: nil),
      .send(session, JSONText(validated: "1"), to: .all), .setRole(session, other, .guest),
      .setReadyToStart(session, true), .setControl(session, .hostsOnly),
      .setWaitingPolicy(session, .together), .setDismissalPolicy(session, .leavesOnly),
      .remove(session, other, isBanned: false), .invite(session, ["member"], lifetime: nil),
      .revokeInvitations(session, ["member"]),
    ]
  }

  private static let messaging: [MessagingRequest] = [
    .appState(AppState(isVisible: true)), .logEvent("e", [:], sequence: nil),
    .logPurchase(product: "p", [:], sequence: nil), .logPushOpened(campaign: nil, sequence: nil),
    .report("m", .started, sequence: nil), .setAttributes([:]), .setMembership(list: "l", true),
    .setCollection(true), .pause(false), .wipe, .revalidate(["m"]), .explain(nil),
    .test("c", variant: nil, event: nil, [:]),
  ]

  private static func notifications(_ session: SessionID, _ key: String) -> [TrayRequest] {
    [
      .register(), .unregister, .list, .remove(["n"]), .wipe,
      .subscribe(.topic("group/g")), .unsubscribe(.topic("group/g")),
      .publish(TopicPublication(to: "group/g")),
      .push(DirectPush(to: "other", .init(.init(body: "Hi")), key: key)),
      .report("n", .removed), .objectState(SessionObject(.state, of: session)),
    ]
  }

  /// The name of a request as the table has it.
  private static func name(_ request: Request) -> String {
    switch request {
    case .closeGroup(.some), .changeKey(.some), .removeUser(_, from: .some), .pair(.some):
      "\(request.name) of another"
    default: request.name
    }
  }

  @Test func `the table says of every request who may make it`() throws {
    let sample = try Scene(.everyone)
    var rows = Self.requests(sample.session, sample.other, "").map { [Self.name($0)] }
    for person in Person.allCases {
      let key = person == .administrator ? KeyedDoor.administratorKey : ""
      for (place, request) in Self.requests(sample.session, sample.other, key).enumerated() {
        rows[place].append(try Self.cell(of: request, by: person))
      }
    }
    let table = ProtocolArticle.rows(in: try ProtocolArticle().chapter("Rights").introduction)
    var listed: [String: [String]] = [:]
    for row in table {
      for name in row[0].split(separator: ",") {
        listed[name.replacing("`", with: "").trimmed] = Array(row.dropFirst())
      }
    }
    for row in rows { #expect(listed[row[0]] == Array(row.dropFirst()), "\(row)") }
    #expect(Set(listed.keys) == Set(rows.map(\.[0])))
    #expect(Set(rows.map { $0[0].split(separator: " ")[0] }) == Self.allRequests)
  }

  private static var allRequests: Set<Substring> {
    let others: Set = ["hello", "ping", "report", "message"]
    return Set(ClientMessage.types.filter { !others.contains($0) }.map { $0[...] })
  }

  /// What the table says where both, one or none of the control policies let somebody.
  private static func cell(of request: Request, by person: Person) throws -> String {
    let isOfStaged =
      switch request {
      case .activateStaged, .withdraw: true
      default: false
      }
    let isPermitted = try ControlPolicy.allCases.map { control in
      var scene = try Scene(control, isStaged: isOfStaged)
      return try scene.permits(request, by: person)
    }
    return switch isPermitted {
    case [true, true]: "yes"
    case [false, false]: ""
    case ControlPolicy.allCases.map({ $0 == .everyone }): "everyone"
    default: "?"
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.prefix(start.reversed().drop { $0 == " " }.count))
  }
}
