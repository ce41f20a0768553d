import Testing
import Vocabulary
import Wire

/// Each bound is met exactly, and passed by one.
@Suite struct ClientBoundsTests {
  private static let limits: Limits = {
    var limits = Limits()
    limits.identifierBytes = 11
    limits.itemBytes = 13
    limits.titleBytes = 17
    limits.activityBytes = 19
    limits.messageBytes = 23
    limits.queueEntries = 5
    limits.participants = 7
    return limits
  }()

  private static let activity = #""type":"activate","id":1,"activity":{"type":"w","metadata":{"#

  private static let bounds = [
    Bound(line: #""type":"joinGroup","id":1,"group":"%""#, field: "group", limit: 11),
    Bound(line: #""type":"join","id":1,"session":"%""#, field: "session", limit: 11),
    Bound(line: #""type":"suspend","id":1,"reason":"%""#, field: "reason", limit: 11),
    Bound(line: #""type":"hello","user":"a","device":"%""#, field: "device", limit: 11),
    Bound(line: #""type":"hello","user":"a","name":"%""#, field: "name", limit: 17),
    Bound(line: #""type":"hello","user":"a","features":["%"]"#, field: "features[0]", limit: 11),
    Bound(line: #""type":"send","id":1,"to":["%"]"#, field: "to[0]", limit: 11),
    Bound(line: #""type":"play","id":1,"item":"%""#, field: "item", limit: 13),
    Bound(line: #""type":"insert","id":1,"media":[{"url":"%"}]"#, field: "media[0].url", limit: 13),
    Bound(line: activity + #""title":"%"}}"#, field: "activity.metadata.title", limit: 17),
    Bound(
      line: activity + #""title":"","subtitle":"%"}}"#, field: "activity.metadata.subtitle",
      limit: 17),
    Bound(
      line: activity + #""title":"","fallbackURL":"%"}}"#, field: "activity.metadata.fallbackURL",
      limit: 13),
    // The quotation marks of a payload belong to it.
    Bound(
      line: activity + #""title":""},"payload":"%"}"#, field: "activity.payload", limit: 17),
    Bound(line: #""type":"send","id":1,"payload":"%""#, field: "payload", limit: 21),
    Bound(line: #""type":"message","payload":"%""#, field: "payload", limit: 21),
    Bound(
      line: #""type":"insert","id":1,"media":[#]"#, field: "media", limit: 5,
      element: #"{"url":"a"}"#),
    Bound(line: #""type":"send","id":1,"to":[#]"#, field: "to", limit: 7, element: #""p-1""#),
    Bound(
      line: #""type":"hello","user":"a","versions":[#]"#, field: "versions", limit: 16,
      element: "1"),
    Bound(
      line: #""type":"hello","user":"a","features":[#]"#, field: "features", limit: 32,
      element: #""f""#),
    Bound(
      line: #""type":"setWaitingPolicy","id":1,"waitingPolicy":{"reasons":[#]}"#,
      field: "waitingPolicy.reasons", limit: 32, element: #""r""#),
    Bound(
      line: #""type":"setWaitingPolicy","id":1,"waitingPolicy":{"participantLimits":{#}}"#,
      field: "waitingPolicy.participantLimits", limit: 32, element: #""r":1"#),
  ]

  @Test(arguments: bounds)
  func `a field may be as long as its limit and no longer`(bound: Bound) {
    #expect(refusal(of: "{\(bound.fields(bound.limit))}", limits: Self.limits) == nil)
    let refusal = refusal(of: "{\(bound.fields(bound.limit + 1))}", limits: Self.limits)
    #expect(refusal?.error.code == .invalidField)
    #expect(refusal?.error.field == bound.field)
  }

  @Test(arguments: [
    ("user", #""user":"syncplay:keeper","device":"a""#), ("user", #""user":"syncplay:""#),
    ("device", #""user":"ann","device":"syncplay:room/lobby""#),
  ])
  func `nobody says hello as a peer of the server's own`(field: String, fields: String) {
    let refusal = refusal(of: #"{"type":"hello",\#(fields)}"#)
    #expect(refusal?.error.code == .invalidField)
    #expect(refusal?.error.field == field)
  }

  @Test func `whoever is only called like the server's own may say hello`() {
    let line = #"{"type":"hello","user":"syncplay","device":"a syncplay:","name":"syncplay:ann"}"#
    #expect(refusal(of: line) == nil)
  }

  @Test(arguments: ["\\u0000", "\\n", "\\u001b", "\\u007f", "\\u0085"])
  func `who and what peers name has no control characters, but for items`(control: String) {
    for (field, fields) in [
      ("user", #""type":"hello","user":"a%""#),
      ("device", #""type":"hello","user":"a","device":"%a""#),
      ("group", #""type":"joinGroup","id":1,"group":"a%b""#),
      ("to[0]", #""type":"send","id":1,"to":["%"]"#),
      ("users[0]", #""type":"invite","id":1,"users":["a%"]"#),
      ("topic", #""type":"subscribe","id":1,"topic":"group:%""#),
    ] {
      let refusal = refusal(of: "{" + fields.replacing("%", with: control) + "}")
      #expect(refusal?.error.code == .invalidField, "\(field)")
      #expect(refusal?.error.field == field)
    }
    let item = #"{"type":"play","id":1,"item":"a\#(control).mkv"}"#
    #expect(refusal(of: item) == nil)
  }

  @Test func `what a server says is bounded by its line alone`() throws {
    for session in [String(repeating: "s", count: 5000), "s\u{0}\n"] {
      let message = ServerMessage.offerWithdrawn(SessionID(session), .notEligible)
      #expect(try serverMessage(text(of: message)) == message)
    }
  }

  @Test(arguments: [0.25, 1, 1.25, 4])
  func `rates from a quarter to four are taken`(rate: Double) {
    #expect(refusal(of: #"{"type":"setRate","id":1,"item":"a","rate":\#(rate)}"#) == nil)
  }

  @Test func `advertisements are ranges in order and apart, and no more than the bound`() {
    var limits = Limits()
    limits.interstitials = 3
    func flaw(_ ranges: String) -> String? {
      let line = #"{"type":"transition","id":1,"item":"a","interstitials":[\#(ranges)]}"#
      return refusal(of: line, limits: limits)?.error.field
    }
    let ranges = [1, 2, 3, 4].map { #"{"start":\#($0 * 10),"end":\#($0 * 10 + 5)}"# }
    #expect(flaw(ranges.prefix(3).joined(separator: ",")) == nil)
    #expect(flaw(ranges.joined(separator: ",")) == "interstitials")
    #expect(flaw(ranges.prefix(2).reversed().joined(separator: ",")) == "interstitials")
    #expect(flaw(#"{"start":5,"end":5}"#) == "interstitials")
    #expect(flaw(#"{"start":5}"#) == "interstitials[0].end")
  }

  @Test func `a seek window ends no earlier than it starts`() {
    func flaw(_ window: String) -> String? {
      let line = #"{"type":"transition","id":1,"item":"a","seekWindow":\#(window)}"#
      return refusal(of: line)?.error.field
    }
    #expect(flaw(#"{"start":5,"end":5,"slides":true}"#) == nil)
    #expect(flaw(#"{"start":5,"end":4}"#) == "seekWindow.end")
    #expect(flaw(#"{"start":-1,"end":4}"#) == "seekWindow.start")
    #expect(flaw(#"{"end":4}"#) == "seekWindow.start")
  }
}
