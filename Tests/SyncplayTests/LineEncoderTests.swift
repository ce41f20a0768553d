import JSON
import Naming
import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

@Suite struct LineEncoderTests {
  private func text(_ message: SyncplayServerMessage) -> String {
    var encoder = SyncplayLineEncoder()
    return String(decoding: encoder.encode(message), as: UTF8.self)
  }

  private func text(_ state: SyncplayServerState) -> String {
    var encoder = SyncplayLineEncoder()
    return String(decoding: encoder.encode(state), as: UTF8.self)
  }

  @Test func `lines are raw UTF-8 and end with CRLF`() {
    #expect(
      text(.chat(from: "Zoë", "“hi”"))
        == #"{"Chat":{"username":"Zoë","message":"“hi”"}}"# + "\r\n")
    #expect(text(.tls(false)) == #"{"TLS":{"startTLS":"false"}}"# + "\r\n")
    #expect(text(.error("no")) == #"{"Error":{"message":"no"}}"# + "\r\n")
  }

  @Test func `a State has only what there is of it`() {
    let bare = SyncplayServerState(position: 0, isPaused: true, setBy: nil, stamp: 1.5)
    #expect(
      text(bare) == #"{"State":{"ping":{"latencyCalculation":1.5,"serverRtt":0.0},"#
        + #""playstate":{"position":0.0,"paused":true,"doSeek":false,"setBy":null}}}"# + "\r\n")
  }

  @Test func `States in a row are written as each alone is`() throws {
    var random = SplitMix64(seed: 41)
    var encoder = SyncplayLineEncoder()
    for _ in 0..<2_000 {
      let state = SyncplayServerState(
        position: Double(random.next() % 3), isPaused: random.next() % 3 == 0,
        isSeek: random.next() % 3 == 0, setBy: random.next() % 3 == 0 ? nil : "a",
        stamp: Double(random.next() % 2), roundTrip: Double(random.next() % 4) / 8,
        echoed: random.next() % 2 == 0 ? nil : 5,
        serverIgnoring: random.next() % 2 == 0 ? nil : 1,
        clientIgnoring: random.next() % 2 == 0 ? nil : 2)
      let line = String(decoding: encoder.encode(state), as: UTF8.self)
      #expect(line == text(state))
      #expect(try JSONTree(line) == Self.tree(of: state))
    }
  }

  /// What the protocol has of a State; fields without a value are left out.
  private static func tree(of state: SyncplayServerState) -> JSONTree {
    var ping: [String: JSONTree] = [
      "latencyCalculation": .number(state.stamp), "serverRtt": .number(state.roundTrip),
    ]
    ping["clientLatencyCalculation"] = state.echoed.map(JSONTree.number)
    var counters: [String: JSONTree] = [:]
    counters["server"] = state.serverIgnoring.map { .number(Double($0)) }
    counters["client"] = state.clientIgnoring.map { .number(Double($0)) }
    var fields: [String: JSONTree] = [
      "ping": .object(ping),
      "playstate": .object([
        "position": .number(state.position), "paused": .bool(state.isPaused),
        "doSeek": .bool(state.isSeek), "setBy": state.setBy.map(JSONTree.string) ?? .null,
      ]),
    ]
    fields["ignoringOnTheFly"] = counters.isEmpty ? nil : .object(counters)
    return .object(["State": .object(fields)])
  }

  @Test func `one encoder serves any number of lines`() {
    var encoder = SyncplayLineEncoder()
    let first = encoder.encode(.tls(true))
    _ = encoder.encode(.list([]))
    #expect(encoder.encode(.tls(true)) == first)
  }

  private func crowd(_ count: Int) -> SyncplayServerMessage {
    let file = JSONText(validated: #"{"name":"film.mkv","duration":5400,"size":123456789}"#)
    let users = (0..<count).map {
      SyncplayListedRoom.User(
        name: "user\($0)", file: file, isOperator: false, isReady: nil,
        features: [.chat, .graphical])
    }
    return .list([
      SyncplayListedRoom(name: "lobby", users: users),
      SyncplayListedRoom(name: "other", users: users),
    ])
  }

  @Test(arguments: [1, 20, 40, 60, 200, 1_000])
  func `a List fits a line, with features first to go`(count: Int) throws {
    let line = text(crowd(count))
    #expect(line.utf8.count <= SyncplayLimits.lineBytes + 2)
    let tree = try JSONTree(String(line.dropLast()))
    let first = try #require(tree["List"]?["lobby"]?["user0"])
    #expect(first["file"] != nil)
    #expect((first["features"] != nil) == (count <= 20))
    #expect((first["position"] != nil) == (count <= 60))
  }
}
