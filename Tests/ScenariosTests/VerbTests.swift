import GroupSessions
import Playback
import Scenarios
import Testing
import UserNotifications
import Vocabulary
import YAML

@Suite struct VerbTests {
  @Test(arguments: [
    ("group join", Verb.joinGroup(nil)), ("group join friday", .joinGroup("friday")),
    ("group leave", .leaveGroup), ("sharing off", .setSharing(false)),
    ("activate", .activate(item: nil, answer: .share, manner: .init())),
    (
      "activate --one-device",
      .activate(item: nil, answer: .share, manner: .init(oneDevicePerUser: true))
    ),
    ("prefer me", .prefer(.me)), ("prefer none", .prefer(.none)),
    (
      "activate short --answer cancel --replace",
      .activate(item: "short", answer: .cancel, manner: .init(isReplacing: true))
    ),
    ("join", .join), ("leave", .leave), ("end", .end), ("kick ben", .kick("ben", isBanned: false)),
    ("kick ben ban", .kick("ben", isBanned: true)),
    (
      "activate film --hosts-only --waiting together --at 1:05",
      .activate(
        item: "film", answer: .share,
        manner: .init(control: .hostsOnly, waiting: .together, position: .seconds(65)))
    ),
    ("stage", .stage(item: nil, manner: .init())),
    ("stage short --at 9", .stage(item: "short", manner: .init(position: .seconds(9)))),
    ("begin", .begin), ("withdraw", .withdraw), ("waiting together", .setWaiting(.together)),
    ("tell ben good night", .tell("ben", "good night")),
    ("queue advance off", .queue(.setAutoAdvance(false))),
    ("role ben host", .setRole("ben", .host)), ("ready", .setReady(true, of: nil)),
    ("unready ben", .setReady(false, of: "ben")),
    ("control hostsOnly", .setControl(.hostsOnly)),
    ("say hello there", .say("hello there")), ("say \"two  spaces\"", .say("two  spaces")),
    (#"say he said "yes" "#, .say(#"he said "yes""#)), (#"say "A" and "B""#, .say(#""A" and "B""#)),
    ("say two  spaces", .say("two  spaces")), (#"say un"quoted""#, .say(#"un"quoted""#)),
    (#"tell ben "no" is "no""#, .tell("ben", #""no" is "no""#)),
    ("play", .play(immediately: false)), ("play now", .play(immediately: true)),
    ("seek 0.5", .seek(.seconds(0.5))), ("seek 1:02:03", .seek(.seconds(3723))),
    ("suspend userActionRequired", .suspend(.userActionRequired)),
    ("resume", .resume(proposing: nil)), ("resume propose 20", .resume(proposing: .seconds(20))),
    ("queue add short", .queue(.add("short", isNext: false))),
    ("queue next short", .queue(.add("short", isNext: true))),
    ("queue move short after film", .queue(.move("short", after: "film"))),
    ("queue repeat all", .queue(.setRepeat(.all))), ("queue shuffle", .queue(.shuffle)),
    ("stall 1.5", .stall(.seconds(1.5))), ("press seek 30", .press(.seek(.seconds(30)))),
    ("log Film Opened", .logEvent("Film Opened")), ("dismiss", .dismissMessage),
    ("click", .clickMessage(nil)), ("click primary", .clickMessage("primary")),
    ("next message", .presentNext), ("app hidden", .setVisible(false)),
    ("app ended", .setRunning(false)), ("app started", .setRunning(true)),
    ("register", .register), ("unregister", .unregister),
    ("subscribe queue", .subscribe(.part(.queue))),
    ("unsubscribe group/demo/news", .unsubscribe(.topic(TopicID("group/demo/news")))),
    ("publish group/demo Film night", .publish(TopicID("group/demo"), "Film night")),
    ("push ben Good night", .push("ben", "Good night")),
    ("invite ben cat", .invite(["ben", "cat"], lifetime: nil)),
    ("invite ben for 1.5 s", .invite(["ben"], lifetime: .seconds(1.5))),
    ("invite ben for 5 min", .invite(["ben"], lifetime: .seconds(300))),
    ("invite ben for 1h", .invite(["ben"], lifetime: .seconds(3600))),
    ("revoke ben cat", .revokeInvitations(["ben", "cat"])),
    ("accept invitation", .answerInvitation(.accepted, byToken: false)),
    ("decline invitation by token", .answerInvitation(.declined, byToken: true)),
    ("decline", .decline), ("reply On my way", .reply("On my way")), ("tap", .tapNotification),
    ("dismiss notification", .dismissNotification),
    ("network cut", .cutNetwork), ("network stall 2 s", .stallNetwork(.seconds(2))),
    (
      "network delay 80 ms jitter 10 ms",
      .setNetwork(NetworkConditions(delay: .milliseconds(80), jitter: .milliseconds(10)))
    ),
  ])
  func `a verb is read`(text: String, verb: Verb) throws {
    #expect(try Verb(text) == verb)
  }

  @Test(arguments: [
    "", "dance", "seek", "seek x", "rate 9", "rate nan", "role ben king", "sharing maybe",
    "prefer you",
    "group dance", "queue dance", "queue add", "press stop", "network", "network cut it",
    "activate --share", "activate --at", "activate --waiting ever", "stage --answer me",
    "activate a b",
    "begin film",
    "withdraw it", "waiting", "waiting long", "tell", "tell ben", "kick ben now",
    "queue advance", "queue advance maybe", "activate --answer perhaps", "stall -1", "say \"open",
    "say", "control",
    "log", "dismiss it", "click 1 2", "next", "next film", "app", "app gone",
    "register me", "subscribe", "subscribe stat", "subscribe state now", "publish",
    "publish group/demo",
    "push ben", "invite", "invite ben for", "invite ben for ever", "invite ben for 2 s now",
    "revoke",
    "accept", "accept ben", "accept invitation by", "accept invitation by hand",
    "accept invitation now", "decline it", "decline invitation by token twice", "reply", "tap it",
    "dismiss notification now",
  ])
  func `a bad verb is refused with advice`(text: String) {
    #expect(throws: PhraseError.self) { try Verb(text) }
  }
}
