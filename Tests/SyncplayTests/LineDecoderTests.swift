import Testing
import Vocabulary

@testable import Syncplay

@Suite struct LineDecoderTests {
  private let options = SyncplayOptions(salt: "x")

  private func read(_ text: String) -> SyncplayLine { read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) -> SyncplayLine {
    var decoder = SyncplayLineDecoder(options)
    return decoder.decode(bytes.span)
  }

  @Test func `what is before a fault is carried out`() {
    let line = read(#"{"List":null,"Chat":"a","Shout":1,"Chat":"b"}"#)
    #expect(line == .messages([.list, .chat("a")], fault: .unknownCommand("Shout")))
  }

  @Test func `the three texts of what is no message`() {
    #expect(read([0x7B, 0xFF, 0x7D]).fault == .notUTF8)
    #expect(read(" {\"a\" ").fault?.message == "Not a json encoded string {\"a\"")
    #expect(read("[]").fault == .malformed("The line must be an object."))
    #expect(read(" \t ") == .messages([]))
    #expect(read("{}") == .messages([]))
  }

  static let flaws = [
    #"{"Hello":{"username":1}}"#, #"{"Hello":{"room":"lobby"}}"#, #"{"Hello":[]}"#,
    #"{"Set":[]}"#, #"{"Set":{"file":"a"}}"#, #"{"Set":{"file":{"name":"a","duration":"1"}}}"#,
    #"{"Set":{"ready":true}}"#, #"{"Set":{"playlistChange":["a"]}}"#,
    #"{"Set":{"playlistChange":{"files":[1]}}}"#, #"{"Set":{"playlistIndex":{"index":"0"}}}"#,
    #"{"Set":{"room":"lobby"}}"#, #"{"State":1}"#, #"{"State":{"playstate":{"paused":0}}}"#,
    #"{"State":{"ping":[]}}"#, #"{"State":{"ignoringOnTheFly":{"server":"1"}}}"#,
    #"{"State":{"ignoringOnTheFly":{"server":1.5}}}"#, #"{"Chat":{"message":"a"}}"#,
    #"{"TLS":true}"#,
  ]

  @Test(arguments: flaws)
  func `a wrong type is a fault that names the field`(line: String) throws {
    let fault = try #require(read(line).fault)
    #expect(fault.message.contains("must be"))
  }

  @Test func `nulls are as if they were not there`() {
    #expect(read(#"{"Set":{"file":null}}"#).messages == [.set(.file(nil))])
    #expect(read(#"{"Set":{"file":{}}}"#).messages == [.set(.file(nil))])
    #expect(
      read(#"{"Set":{"ready":{"isReady":null,"username":null}}}"#).messages == [
        .set(.ready(nil, isManual: false, user: nil))
      ])
    #expect(
      read(#"{"State":{"playstate":null,"ping":{"clientRtt":null}}}"#).messages == [
        .state(SyncplayClientState())
      ])
  }

  @Test func `a file is relayed with all it has but its path, and its name cut`() throws {
    let name = String(repeating: "ß", count: 300)
    let line =
      #"{"Set":{"file":{"size":"0a1b","name":"\#(name)","path":"/home/me","fps":24,"duration":-1}}}"#
    guard case .set(.file(let file?))? = read(line).messages.first else {
      Issue.record("no file")
      return
    }
    let cut = String(repeating: "ß", count: 250)
    #expect(file.name == cut)
    #expect(file.duration == nil)
    #expect(file.text.text == #"{"size":"0a1b","name":"\#(cut)","fps":24,"duration":-1}"#)
  }

  @Test func `places are held where times add up`() {
    let line = read(#"{"State":{"playstate":{"position":1e300}}}"#)
    guard case .state(let state)? = line.messages.first else {
      Issue.record("no State")
      return
    }
    #expect(state.place?.position == 1e9)
  }

  @Test func `a State alone is told by itself, and by the parser only if it is unusual`() {
    let state = SyncplayClientState(place: .init(position: 10, isPaused: true))
    #expect(read(#"{"State":{"playstate":{"position":10.0,"paused":true}}}"#) == .state(state))
    #expect(
      read(#"{"State":{"playstate":{"position":1e1,"paused":true}}}"#) == .messages([.state(state)])
    )
  }

  @Test func `random bytes never trap`() {
    var chance = SplitMix64(seed: 11)
    let seeds =
      Self.flaws + [
        #"{"Hello":{"username":"a","room":{"name":"b"},"version":"1.7.7","features":{"chat":true}}}"#,
        #"{"State":{"playstate":{"position":1.5,"paused":true,"doSeek":false},"ping":{"latencyCalculation":1},"ignoringOnTheFly":{"server":1,"client":2}}}"#,
      ]
    for _ in 0..<4_000 {
      var bytes = Array(seeds[Int(chance.next() % UInt64(seeds.count))].utf8)
      for _ in 0...Int(chance.next() % 4) {
        bytes[Int(chance.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: chance.next())
      }
      let line = read(bytes)
      if let fault = line.fault { #expect(fault.message.unicodeScalars.count <= 1_100) }
    }
  }
}

extension SyncplayLine {
  fileprivate var messages: [SyncplayClientMessage] {
    switch self {
    case .state(let state): [.state(state)]
    case .messages(let messages, _): messages
    }
  }

  fileprivate var fault: SyncplayFault? {
    if case .messages(_, let fault) = self { fault } else { nil }
  }
}
