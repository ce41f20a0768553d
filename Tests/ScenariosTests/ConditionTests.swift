import Scenarios
import Testing
import Vocabulary
import YAML

@Suite struct ConditionTests {
  private func verdict(_ text: String, _ seen: Observation) throws -> Verdict {
    try ScenarioCondition(text).judge(["ann"], ["ann": seen])
  }

  private var joined: Observation {
    var seen = Observation()
    seen.connection = .connected
    seen.ineligibility = nil
    seen.session = .joined
    seen.participants = ["ann", "ben"]
    seen.phase = .paused(at: .seconds(30))
    seen.item = "film"
    seen.queue = ["film", "short"]
    seen.role = "host"
    seen.ready = ["ann"]
    seen.heard = ["hello there", #"he said "yes""#]
    seen.waitingFor = ["ben"]
    seen.message = "tip"
    seen.stack = ["offer", "welcome"]
    seen.notifications = [
      Observation.Notice(title: "film", body: "ann invites you"), Observation.Notice(title: "ben"),
    ]
    seen.withdrawn = [Observation.Notice(title: "", body: "On Friday")]
    seen.isToldSilently = true
    seen.mirrors = ["state": ["phase": "playing", "names": "ann ben"]]
    seen.invitations = ["ben": "accepted"]
    seen.player = Observation.Player(position: .seconds(30.02), isRunning: false, commands: 3)
    return seen
  }

  @Test(arguments: [
    "connected", "eligible", "joined", "participants ben ann", "lost nobody", "role host",
    "ready ann",
    "paused", "paused at 30", "paused at 0:30 ±0.1", "position 30 ±40 ms", "beyond 30", "rate 1",
    "waiting for ben", "item film", "queue film short", "heard hello there",
    #"heard he said "yes""#,
    #"heard "hello there""#, "player stands",
    "not playing", "not ineligible alone", "together within 1 ms", "not refused forbidden",
    "sees tip", "not sees nothing", "stack offer welcome",
    "notification film", "notification ann invites you", "not notification fil",
    "not no notification", "withdrawn On Friday", "invitation ben accepted",
    "not invitation cat pending", "silent update", "mirror state names ann ben",
    "not mirror queue current e-1", "not staged",
  ])
  func `a condition is met`(text: String) throws {
    #expect(try verdict(text, joined) == .met)
  }

  @Test(arguments: [
    ("reconnecting", "ann: connected"), ("ineligible alone", "ann: eligible"),
    ("no session", "ann: joined"), ("offered", "ann: joined"), ("staged", "ann: joined"),
    ("participants ann", "ann: participants ann ben"), ("lost ben", "ann: lost nobody"),
    ("playing", "ann: paused at 30.000, player stands at 30.020"),
    ("paused at 31", "ann: paused at 30.000, player stands at 30.020"),
    ("waiting for nobody", "ann: waiting for ben"), ("queue short", "ann: queue film short"),
    ("player untouched", "ann: player told 3 times"),
    ("outcome cancelled", "ann: outcome none yet"),
    ("refused forbidden", "ann: nothing refused"),
    ("sees offer", "ann: sees tip"), ("sees nothing", "ann: sees tip"),
    ("stack nothing", "ann: stack offer welcome"), ("stack welcome", "ann: stack offer welcome"),
    ("notification news", "ann: notifications film: ann invites you, ben"),
    ("no notification", "ann: notifications film: ann invites you, ben"),
    ("withdrawn film", "ann: withdrawn On Friday"),
    ("invitation ben pending", "ann: invitation ben accepted"),
    ("invitation cat pending", "ann: invitation cat unknown"),
    ("not silent update", "ann: a silent update"),
    ("mirror state phase paused", "ann: mirror state phase playing"),
    ("mirror state rate 1", "ann: mirror state without rate"),
    ("mirror queue order a", "ann: no mirror of queue"),
    ("not paused", "ann: paused at 30.000, player stands at 30.020"),
  ])
  func `a condition that is not met says what is seen instead`(text: String, seen: String) throws {
    #expect(try verdict(text, joined) == .unmet(seen))
  }

  @Test func `an end is judged by its reason and by who is behind it`() throws {
    var seen = joined
    seen.session = .invalidated("endedBy", by: "ben")
    for text in [
      "invalidated", "invalidated endedBy", "invalidated endedBy by ben", "invalidated by ben",
    ] {
      #expect(try verdict(text, seen) == .met)
    }
    #expect(
      try verdict("invalidated endedBy by ann", seen)
        == .unmet("ann: invalidated endedBy by ben"))
    #expect(try verdict("invalidated empty", seen) == .unmet("ann: invalidated endedBy by ben"))
  }

  @Test func `of nothing it is said that there is nothing`() throws {
    let seen = Observation()
    #expect(try verdict("no notification", seen) == .met)
    #expect(try verdict("notification film", seen) == .unmet("ann: no notification"))
    #expect(try verdict("withdrawn film", seen) == .unmet("ann: nothing withdrawn"))
    #expect(try verdict("silent update", seen) == .unmet("ann: no silent update"))
  }

  @Test func `players are together as far as the two that are farthest apart`() throws {
    var ahead = joined
    ahead.player?.position = .seconds(30.05)
    let all = ["ann": joined, "ben": ahead]
    let condition = try ScenarioCondition("together within 40 ms")
    #expect(condition.judge(["ann", "ben"], all) == .met)
    ahead.player?.position = .seconds(30.08)
    #expect(
      condition.judge(["ann", "ben"], ["ann": joined, "ben": ahead])
        == .unmet("60.0 ms apart: ann 30.020, ben 30.080"))
  }

  @Test(arguments: [
    "", "plying", "waiting", "together", "position", "player flies", "outcome x",
    "sees", "sees tip offer", "no", "no film", "notification", "withdrawn", "invitation ben",
    "invitation ben gone", "silent", "silent film", "mirror", "mirror film phase playing",
    "mirror state phase",
  ])
  func `a bad condition is refused`(text: String) {
    #expect(throws: PhraseError.self) { try ScenarioCondition(text) }
  }
}
