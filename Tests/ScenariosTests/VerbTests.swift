import GroupSessions
import Playback
import Scenarios
import Testing
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
    ("join", .join), ("leave", .leave), ("end", .end), ("kick ben", .kick("ben")),
    ("role ben host", .setRole("ben", .host)), ("control hostsOnly", .setControl(.hostsOnly)),
    ("say hello there", .say("hello there")), ("say \"two  spaces\"", .say("two  spaces")),
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
    "activate --share", "activate --answer perhaps", "stall -1", "say \"open", "control",
    "log", "dismiss it", "click 1 2", "next", "next film", "app", "app gone",
  ])
  func `a bad verb is refused with advice`(text: String) {
    #expect(throws: PhraseError.self) { try Verb(text) }
  }
}
