import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire
import WireTesting

/// The most common lines, byte by byte: what stands here, clients of other makers rely on.
@Suite struct GoldenLineTests {
  private static let rate = Rate(1.25) ?? .normal

  // Proves: S20
  @Test(
    arguments: [
      (
        .request(
          11,
          .activate(
            Activation(
              GroupActivity(
                type: "watch", payload: JSONText(validated: "null"),
                metadata: GroupActivityMetadata(
                  type: .watchTogether, title: "Film", fallbackURL: "https://films.example/1"),
                media: MediaItem(url: "film.mp4"))))),
        #"{"type":"activate","id":11,"activity":{"type":"watch","metadata":"#
          + #"{"kind":"watchTogether","title":"Film","fallbackURL":"https://films.example/1"},"#
          + #""media":{"url":"film.mp4"}}}"#
      ),
      (
        .hello(
          Hello(user: "ann", device: "ann-tv", name: "Ann", features: [.heartbeat, .sessions])),
        #"{"type":"hello","versions":[1],"user":"ann","device":"ann-tv","name":"Ann","#
          + #""features":["heartbeat","sessions"]}"#
      ),
      (
        .ping(Ping(sent: HostTime(microseconds: -5), roundTrip: .milliseconds(12))),
        #"{"type":"ping","sent":-5,"roundTrip":12000}"#
      ),
      (.request(1, .joinGroup("club")), #"{"type":"joinGroup","id":1,"group":"club"}"#),
      (
        .request(
          2,
          .activate(
            Activation(
              GroupActivity(
                type: "watch", payload: JSONText(validated: "null"),
                metadata: GroupActivityMetadata(title: "Film"),
                media: MediaItem(url: "film.mp4"))))),
        #"{"type":"activate","id":2,"activity":{"type":"watch","metadata":{"title":"Film"},"#
          + #""media":{"url":"film.mp4"}}}"#
      ),
      (.request(3, .join("s-1", handoffFrom: nil)), #"{"type":"join","id":3,"session":"s-1"}"#),
      (
        .request(4, .playback(nil, .transition(to: "film.mp4", duration: .seconds(60)))),
        #"{"type":"transition","id":4,"item":"film.mp4","duration":60000000}"#
      ),
      (
        .request(5, .playback(nil, .play("film.mp4"))), #"{"type":"play","id":5,"item":"film.mp4"}"#
      ),
      (
        .request(6, .playback("s-1", .seek("film.mp4", to: MediaTime(microseconds: 83_250_000)))),
        #"{"type":"seek","id":6,"session":"s-1","item":"film.mp4","mediaTime":83250000}"#
      ),
      (
        .request(7, .playback(nil, .ready("film.mp4", seq: 17))),
        #"{"type":"ready","id":7,"item":"film.mp4","answers":17}"#
      ),
      (
        .request(8, .queue(nil, .insert([MediaItem(url: "b.mp4")], at: .after("e1")))),
        #"{"type":"insert","id":8,"media":[{"url":"b.mp4"}],"position":{"after":"e1"}}"#
      ),
      (.request(9, .queue(nil, .next())), #"{"type":"next","id":9}"#),
      (.request(10, .dismiss(nil)), #"{"type":"dismiss","id":10}"#),
      (
        .request(11, .setDismissalPolicy("s-1", .endsWithInitiator)),
        #"{"type":"setDismissalPolicy","id":11,"session":"s-1","#
          + #""dismissalPolicy":"endsWithInitiator"}"#
      ),
    ] as [(ClientMessage, String)])
  func `clients say`(message: ClientMessage, line: String) throws {
    #expect(text(of: message) == line)
    #expect(try clientMessage(line) == message)
  }

  @Test(
    arguments: [
      (
        .pong(
          Pong(
            sent: HostTime(microseconds: 5), heard: Instant(microseconds: 6),
            answered: Instant(microseconds: 7))),
        #"{"type":"pong","sent":5,"heard":6,"answered":7}"#
      ),
      (.answer(7, .done(seq: 17)), #"{"type":"ok","id":7,"seq":17}"#),
      (.answer(7, .done(seq: nil)), #"{"type":"ok","id":7}"#),
      (
        .answer(7, .joined("s-1", "p-1")),
        #"{"type":"ok","id":7,"session":"s-1","participant":"p-1"}"#
      ),
      (
        .error(8, ProtocolError(.forbidden, reason: "controlPlayback")),
        #"{"type":"error","id":8,"code":"forbidden","message":"the role does not allow this","#
          + #""reason":"controlPlayback"}"#
      ),
      (.eligibility(.eligible), #"{"type":"eligibility","eligible":true}"#),
      (
        .eligibility(.ineligible(.alone)),
        #"{"type":"eligibility","eligible":false,"reason":"alone"}"#
      ),
      (
        .event(
          "s-1", seq: 17, at: Instant(microseconds: 1000),
          .playback(
            .timelineSet(
              "film.mp4",
              .playing(
                TimelineAnchor(
                  mediaTime: MediaTime(microseconds: 83_250_000),
                  at: Instant(microseconds: 51_000), rate: rate)),
              rate: rate, action: .play, by: "p-1"))),
        #"{"type":"event","session":"s-1","seq":17,"at":1000,"event":"timelineSet","#
          + #""item":"film.mp4","phase":"playing","mediaTime":83250000,"anchor":51000,"#
          + #""rate":1.25,"action":"play","by":"p-1"}"#
      ),
      (
        .event("s-1", seq: 18, at: Instant(microseconds: 2000), .left("p-1", .connectionLost)),
        #"{"type":"event","session":"s-1","seq":18,"at":2000,"event":"left","participant":"p-1","#
          + #""reason":"connectionLost"}"#
      ),
      (
        .event("s-1", seq: 19, at: Instant(microseconds: 2000), .ended(.dismissedBy("p-1"))),
        #"{"type":"event","session":"s-1","seq":19,"at":2000,"event":"ended","#
          + #""reason":"dismissedBy","by":"p-1"}"#
      ),
      (
        .sessionOver("s-1", .replaced(by: "s-2")),
        #"{"type":"sessionOver","session":"s-1","reason":"replaced","replacedBy":"s-2"}"#
      ),
      (
        .closing(ProtocolError(.shuttingDown)),
        #"{"type":"closing","code":"shuttingDown","message":"the server is stopping"}"#
      ),
    ] as [(ServerMessage, String)])
  func `servers say`(message: ServerMessage, line: String) throws {
    #expect(text(of: message) == line)
    #expect(try serverMessage(line) == message)
  }

  @Test func `a line ends in one line feed, and has none inside`() {
    for seed in 1...100 as ClosedRange<UInt64> {
      var random = RandomValues(seed: seed)
      let line = encode(random.serverMessage("snapshot"))
      #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
      #expect(line.last == UInt8(ascii: "\n"))
    }
  }

  @Test func `an error with a code nobody knows keeps its code and its text`() throws {
    let line = #"{"type":"error","id":3,"code":"fromTomorrow","message":"not on Sundays"}"#
    let error = UnknownError(code: "fromTomorrow", message: "not on Sundays")
    #expect(try serverMessage(line) == .unknownError(3, error))
    #expect(text(of: .unknownError(3, error)) == line)
    let last = #"{"type":"closing","code":"fromTomorrow","message":"good night"}"#
    let word = UnknownError(code: "fromTomorrow", message: "good night", isLast: true)
    #expect(try serverMessage(last) == .unknownError(nil, word))
    #expect(text(of: .unknownError(nil, word)) == last)
  }
}
