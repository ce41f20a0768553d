internal import GroupSessions
internal import InAppMessaging
internal import Naming
internal import Playback
internal import UserNotifications
package import Vocabulary
package import Wire

/// What the requests of a scene are about, and one request of each kind.
package struct RightsSubject: Sendable {
  /// The names of a scene.
  package struct Names: Sendable {
    /// The scene's number.
    let number: Int

    /// The group in which everything happens.
    package var group: GroupID { GroupID("g-\(number)") }
    /// A group of the stranger's.
    package var otherGroup: GroupID { GroupID("h-\(number)") }
    /// A guest to whom things are done.
    package var other: DeviceID { DeviceID("other-\(number)") }
    fileprivate var topic: String { "group/\(group.text)" }

    package func device(_ person: Person) -> DeviceID {
      DeviceID("\(person.rawValue)-\(number)")
    }
  }

  package let names: Names
  package let session: SessionID
  /// The guest's participant.
  let other: ParticipantID

  /// One of each kind, as somebody would ask who may.
  ///
  /// - Parameter key: what they have for the administrator's key.
  package func requests(withKey key: String) -> [Request] {
    let playback: [PlaybackCommand] = [
      .transition(to: "film"), .play("film"), .pause("film"), .seek("film", to: .zero),
      .setRate("film", .normal), .suspend(.playingInterstitial), .endSuspension(1),
      .ready("film", seq: 1), .reportEnd("film", seq: 1),
    ]
    let queue: [QueueCommand] = [
      .insert([.film("next")], at: .end), .move("e1", to: .end), .remove("e1"), .clear,
      .select("e1"), .next(), .previous(), .setRepeat(.all), .shuffle(seed: 1), .unshuffle,
      .setAutoAdvance(false),
    ]
    return group + life + steering + playback.map { .playback(session, $0) }
      + queue.map { .queue(session, $0) } + messaging.map { .messaging($0) }
      + notifications(key).map { .notifications($0) }
  }

  /// Of a group, from inside and, by the administrator, from outside.
  private var group: [Request] {
    let (group, other) = (names.group, UserID(names.other.text))
    return [
      .joinGroup(group), .leaveGroup, .closeGroup(), .closeGroup(group), .changeKey(),
      .changeKey(group), .removeUser(other), .removeUser(other, from: group), .setSharing(true),
      .setPreferredDevice(nil), .updateObject("votes", set: ["yes": 1]), .removeObject("votes"),
      .status(), .renew(credential: "x"), .pair(), .pair(other),
      .confirmPairing(true), .freeName(other), .drain("10.0.0.2:7879"), .listMedia,
      .openMedia(url: "/media/film.mp4"),
    ]
  }

  private var life: [Request] {
    [
      .activate(Activation(.film("other"), ifBusy: .replace)),
      .stage(Activation(.film("other"), ifBusy: .replace)), .activateStaged(session),
      .withdraw(session), .join(session, handoffFrom: nil), .decline(session), .leave(session),
      .dismiss(session), .end(session), .answerInvitation(session, .accepted, seq: nil),
    ]
  }

  private var steering: [Request] {
    [
      .setActivity(session, .film("other"), ifRevision: nil),
      .send(session, JSONText(validated: "1"), to: .all), .setRole(session, other, .guest),
      .attachment(session, .begin(bytes: 1, metadata: JSONText(validated: "null"))),
      .attachment(session, .add("a", part: 0, AttachmentPart([1]))),
      .attachment(session, .remove("a")), .attachment(session, .load("a", part: 0)),
      .setReadyToStart(session, true), .setControl(session, .hostsOnly),
      .setWaitingPolicy(session, .together), .setDismissalPolicy(session, .leavesOnly),
      .remove(session, other, isBanned: false),
      .invite(session, [UserID(names.device(.member).text)], lifetime: nil),
      .revokeInvitations(session, [UserID(names.device(.member).text)]),
    ]
  }

  private var messaging: [MessagingRequest] {
    [
      .appState(AppState(isVisible: true)), .logEvent("e", [:], sequence: nil),
      .logPurchase(product: "p", [:], sequence: nil), .logPushOpened(campaign: nil, sequence: nil),
      .report("m", .started, sequence: nil), .setAttributes([:]), .setMembership(list: "l", true),
      .setCollection(true), .pause(false), .wipe, .revalidate(["m"]), .explain(nil),
      .explain(nil, of: UserID(names.other.text)), .test("c", variant: nil, event: nil, [:]),
    ]
  }

  private func notifications(_ key: String) -> [TrayRequest] {
    [
      .register(), .unregister, .list, .remove(["n"]), .wipe,
      .subscribe(.topic(TopicID(names.topic))), .unsubscribe(.topic(TopicID(names.topic))),
      .publish(TopicPublication(to: TopicID(names.topic))),
      .push(DirectPush(to: UserID(names.other.text), .init(.init(body: "Hi")), key: key)),
      .report("n", .removed), .objectState(ServerObject.part(.state, of: session)),
    ]
  }
}

extension Request {
  /// The name on the wire.
  package var name: String {
    let line = String(decoding: encode(.request(1, self)), as: UTF8.self)
    return line.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
  }

  /// Its name in the table of rights.
  package var nameInTable: String {
    switch self {
    case .closeGroup(.some), .changeKey(.some), .removeUser(_, from: .some), .pair(.some),
      .messaging(.explain(_, of: .some)):
      "\(name) of another"
    default: name
    }
  }

  /// Whether it is about a session that is only staged.
  var isOfStaged: Bool {
    switch self {
    case .activateStaged, .withdraw: true
    default: false
    }
  }

  /// Whether others may do all that they could before, if it is done.
  var leavesRightsAlone: Bool {
    switch self {
    case .messaging, .notifications, .status, .drain, .listMedia, .openMedia: true
    default: false
    }
  }

  /// Whether somebody in another group makes it about that group.
  var isOfOwnGroup: Bool {
    switch self {
    case .leaveGroup, .closeGroup(nil), .changeKey(nil), .removeUser(_, from: nil), .setSharing,
      .setPreferredDevice, .updateObject, .removeObject, .status, .activate, .stage, .listMedia,
      .openMedia:
      true
    default: false
    }
  }
}
