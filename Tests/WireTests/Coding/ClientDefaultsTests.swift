import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

/// What may be left out, and what that means.
@Suite struct ClientDefaultsTests {
  @Test func `a hello needs a user only`() throws {
    let hello = Hello(user: "ann", device: "ann", name: "ann", features: [.sessions])
    #expect(try clientMessage(#"{"type":"hello","user":"ann"}"#) == .hello(hello))
    let claim = #"{"type":"hello","user":"ann","keeper":true}"#
    #expect(try clientMessage(claim) == .hello(hello), "nobody says by a line that it is a keeper")
    let silent = Hello(user: "ann", device: "ann", name: "ann", features: [])
    #expect(try clientMessage(#"{"type":"hello","user":"ann","features":[]}"#) == .hello(silent))
  }

  @Test(arguments: [
    #"{"type":"activate","id":1,"activity":{"type":"w","metadata":{"title":"T"}}}"#,
    #"{"type":"activate","id":1,"activity":{"type":"w","payload":null,"metadata":{"title":"T","#
      + #""kind":"generic","lifetime":"automatic","subtitle":null},"media":null},"ifBusy":"fail","#
      + #""control":"everyone","waitingPolicy":"keepGoing","dismissalPolicy":null,"#
      + #""initialTiming":null}"#,
  ])
  func `an activation needs a type and a title only`(line: String) throws {
    let activity = GroupActivity(
      type: "w", payload: JSONText(validated: "null"),
      metadata: GroupActivityMetadata(title: "T"), media: nil)
    #expect(try clientMessage(line) == .request(1, .activate(Activation(activity))))
  }

  @Test(arguments: DismissalPolicy.allCases)
  func `an activation says what a dismissal does, or leaves it to the server`(
    policy: DismissalPolicy
  ) throws {
    let line =
      #"{"type":"activate","id":1,"activity":{"type":"w","metadata":{"title":"T"}},"#
      + #""dismissalPolicy":"\#(policy.rawValue)"}"#
    guard case .request(1, .activate(let activation)) = try clientMessage(line) else {
      Issue.record("\(line)")
      return
    }
    #expect(activation.dismissalPolicy == policy)
    // Also what is usual is said: a server may have been told something else.
    #expect(text(of: .request(1, .activate(activation))) == line)
  }

  @Test(
    arguments: [
      (#""keepGoing""#, .keepGoing), (#""together""#, .together), ("{}", .keepGoing),
      (
        #"{"reasons":["stallRecovery"],"participantLimits":{"stallRecovery":3},"maximumWait":5}"#,
        WaitingPolicy(
          reasons: [.stallRecovery], participantLimits: [.stallRecovery: 3],
          maximumWait: .microseconds(5))
      ),
      (
        #"{"pauseSnapsToOriginator":false,"waitsForLateJoiners":true}"#,
        WaitingPolicy(
          reasons: [], pauseSnapsToMediaTimeOfOriginator: false, waitsForLateJoiners: true)
      ),
      (
        #"{"participantLimits":{"a":1,"a":2}}"#,
        WaitingPolicy(reasons: [], participantLimits: [SuspensionReason("a"): 1])
      ),
    ] as [(String, WaitingPolicy)])
  func `a waiting policy is a name or an object`(text: String, policy: WaitingPolicy) throws {
    let line = #"{"type":"setWaitingPolicy","id":1,"waitingPolicy":"# + text + "}"
    #expect(try clientMessage(line) == .request(1, .setWaitingPolicy(nil, policy)))
  }

  @Test(
    arguments: [
      ("", .end), (#","position":"end""#, .end), (#","position":"next""#, .next),
      (#","position":{"after":"e3"}"#, .after("e3")), (#","position":null"#, .end),
    ] as [(String, QueuePosition)])
  func `a position is a word or an entry`(field: String, position: QueuePosition) throws {
    let line = #"{"type":"move","id":1,"entry":"e1""# + field + "}"
    #expect(try clientMessage(line) == .request(1, .queue(nil, .move("e1", to: position))))
  }

  @Test(
    arguments: [
      ("", .all), (#","to":"all""#, .all), (#","to":null"#, .all), (#","to":[]"#, .only([])),
      (#","to":["p-1","p-2"]"#, .only(["p-1", "p-2"])),
    ] as [(String, Recipients)])
  func `recipients are all or an array`(field: String, recipients: Recipients) throws {
    let line = #"{"type":"send","id":1,"payload":{"a": 1}"# + field + "}"
    let payload = JSONText(validated: #"{"a":1}"#)
    #expect(try clientMessage(line) == .request(1, .send(nil, payload, to: recipients)))
  }

  @Test(
    arguments: [
      ("", nil), (#","mediaTime":5"#, ProposedTiming(mediaTime: MediaTime(microseconds: 5))),
      (#","rate":1"#, ProposedTiming(mediaTime: .zero, rate: .normal)),
    ] as [(String, ProposedTiming?)])
  func `a transition proposes a place, a rate, or nothing`(
    field: String, timing: ProposedTiming?
  ) throws {
    let line = #"{"type":"transition","id":1,"item":"a""# + field + "}"
    let command = PlaybackCommand.transition(to: "a", proposing: timing)
    #expect(try clientMessage(line) == .request(1, .playback(nil, command)))
  }

  @Test func `unknown fields are ignored, and the order of fields is no matter`() throws {
    #expect(
      try clientMessage(#"{"new":[{}],"item":"a","id":1.0,"x":null,"type":"play"}"#)
        == .request(1, .playback(nil, .play("a"))))
  }

  @Test func `media is identified by its URL unless it says otherwise`() throws {
    let line = #"{"type":"insert","id":1,"media":[{"url":"u"},{"url":"u","item":"i"}]}"#
    let media = [MediaItem(url: "u"), MediaItem(item: "i", url: "u")]
    #expect(try clientMessage(line) == .request(1, .queue(nil, .insert(media, at: .end))))
  }
}
