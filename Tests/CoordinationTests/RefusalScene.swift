import GroupSessions
import InAppMessaging
import Naming
import Playback
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// A situation in which requests are refused, and somebody who asks in it.
struct RefusalScene {
  var stage: Stage
  var asker: DeviceID = "bob"
  /// The session that is named where one may be; nil leaves it out.
  var named: SessionID?
  /// The session that is meant where one must be named.
  var offered: SessionID
  /// The notification that is meant.
  var notification: NotificationID = "n"
  /// The attachment that is meant.
  var attachment: AttachmentID = "a-1"
  /// Somebody else who takes part.
  var other: ParticipantID = "nobody"

  /// What this one is refused.
  mutating func refusals(of request: Request) -> [ErrorCode] {
    let id = stage.post(request, from: asker)
    stage.isHeld = false
    stage.release()
    return (stage[asker].answers[id] ?? []).compactMap {
      if case .failure(let error) = $0 { error.code } else { nil }
    }
  }

  /// Every request, sensible and, where it can be wrong, wrong.
  var requests: [Request] {
    group + life + playback.map { .playback(named, $0) } + queue.map { .queue(named, $0) }
      + steering + messaging.map { .messaging($0) } + invitations
      + notifications.map { .notifications($0) }
  }

  private var group: [Request] {
    [
      .joinGroup("g"), .joinGroup("g", key: "wrong"), .joinGroup("g", key: KeyedDoor.key()),
      .leaveGroup, .closeGroup(), .closeGroup("g"), .closeGroup("nowhere"), .changeKey(),
      .changeKey("nowhere"), .removeUser("ann"), .removeUser("eve"),
      .removeUser("eve", from: "nowhere"), .pair(), .pair("ann"), .confirmPairing(true),
      .freeName("ann"), .drain("nowhere:7879"), .drain("10.0.0.1:7879"), .setSharing(true),
      .setPreferredDevice("nobody's"),
      .setPreferredDevice(nil), .updateObject("votes", set: ["yes": 1]), .removeObject("votes"),
      .status(), .listMedia, .openMedia(url: "/media/film.mp4"),
      .renew(credential: "x"),
    ]
  }

  private var nameless: GroupActivity {
    var activity = Stage.movie()
    activity.type = ""
    return activity
  }

  private var life: [Request] {
    [Stage.movie(), Stage.movie("other"), nameless].flatMap {
      [Request.activate(Activation($0)), .stage(Activation($0))]
    } + [
      .activateStaged(offered), .withdraw(offered), .join(offered, handoffFrom: nil),
      .join(offered, handoffFrom: other), .join(offered, handoffFrom: "nobody"),
      .decline(offered), .leave(named), .dismiss(named), .end(named),
    ]
  }

  private var messaging: [MessagingRequest] {
    [
      .appState(AppState(isVisible: true)), .logEvent("e", [:], sequence: nil),
      .logPurchase(product: "p", [:], sequence: nil), .logPushOpened(campaign: nil, sequence: nil),
      .report("m", .started, sequence: nil), .setAttributes([:]),
      .setMembership(list: "l", true), .setCollection(true), .pause(false), .wipe,
      .revalidate(["m"]), .explain(nil), .explain(nil, of: "ann"), .explain(nil, of: "nobody"),
      .explain("none", of: "ann"), .test("c", variant: nil, event: nil, [:]),
    ]
  }

  private var invitations: [Request] {
    [
      .invite(named, ["eve", "fay"], lifetime: nil), .revokeInvitations(named, ["eve"]),
      .answerInvitation(offered, .accepted, seq: nil),
      .answerInvitation(offered, .declined, seq: nil),
    ]
  }

  private var notifications: [TrayRequest] {
    let key = Stage.administratorKey
    let long = NotificationPayload.Alert(body: .init(String(repeating: "x", count: 4_096)))
    return [
      .register(), .register(.browser("b")), .unregister, .list, .remove(["n"]), .wipe,
      .subscribe(.topic("group/g")), .subscribe(.topic("user/ann")), .subscribe(.topic("nobody's")),
      .unsubscribe(.topic("group/g")),
      .publish(TopicPublication(to: "group/h")), .publish(TopicPublication(to: "nobody's")),
      .publish(TopicPublication(to: "user/bob", alert: long)),
      .publish(TopicPublication(to: "app/news")),
      .publish(TopicPublication(to: "app/news", key: key)),
      .push(DirectPush(to: "eve", .init(.init(body: "Hi")), key: key)),
      .push(DirectPush(to: "bob", .init(long), key: key)),
      .push(DirectPush(to: "eve", .init(.init(body: "Hi")), key: "")),
      .push(DirectPush(to: "eve", .init(.init(body: "Hi")), key: nil)),
    ]
      + SessionPart.allCases.flatMap { part -> [TrayRequest] in
        let object = ServerObject.part(part, of: offered)
        return [.subscribe(.object(object)), .objectState(object)]
      } + [.subscribe(.object(.own("list", of: "g"))), .objectState(.own("list", of: "g"))]
      + [ActionIdentifier.accept, ActionIdentifier.decline, ActionIdentifier.defaultAction].map {
        .report(notification, .responded(actionID: $0, text: nil))
      } + [.report(notification, .removed)]
  }

  private var steering: [Request] {
    [
      .setActivity(named, Stage.movie("other"), ifRevision: nil),
      .setActivity(named, Stage.movie("other"), ifRevision: 99),
      .setActivity(named, nameless, ifRevision: nil),
      .send(named, JSONText(validated: "1"), to: .all),
      .setRole(named, other, .host), .setRole(named, other, .listener),
      .setRole(named, "nobody", .host),
      .setReadyToStart(named, true, of: other), .setReadyToStart(named, true, of: "nobody"),
      .attachment(named, .begin(bytes: 5, metadata: JSONText(validated: "null"))),
      .attachment(named, .add(attachment, part: 0, AttachmentPart([1]))),
      .attachment(named, .remove(attachment)), .attachment(named, .load(attachment, part: 0)),
      .setControl(named, .hostsOnly), .setWaitingPolicy(named, .together),
      .setDismissalPolicy(named, .leavesOnly),
      .remove(named, other, isBanned: false), .remove(named, "nobody", isBanned: false),
    ]
  }

  private var playback: [PlaybackCommand] {
    let items: [ItemID] = ["film", "none"]
    return [
      .transition(to: "fourth"), .transition(to: nil), .suspend(.playingInterstitial),
      .endSuspension(99), .endSuspension(99, proposing: .zero),
    ]
      + items.flatMap { item -> [PlaybackCommand] in
        [
          .play(item), .pause(item), .seek(item, to: .zero), .setRate(item, .normal),
          .ready(item, seq: 0), .reportEnd(item, seq: 0),
        ]
      }
  }

  private var queue: [QueueCommand] {
    [
      .insert([Stage.media("fifth")], at: .end), .insert([Stage.media("fifth")], at: .after("e99")),
      .move("e99", to: .end), .remove("e99"), .remove("e1"), .clear, .select("e99"), .select("e2"),
      .next(),
      .next(from: "e99"), .previous(from: "e99"), .previous(), .setRepeat(.all), .shuffle(seed: 1),
      .unshuffle, .setAutoAdvance(false),
    ]
  }
}
