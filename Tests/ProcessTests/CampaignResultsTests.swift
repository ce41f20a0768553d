import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// `matinee campaigns results`, on the journal of a running server.
@Suite struct CampaignResultsTests {
  private static let sale = """
    triggers: {event: Shop Opened}
    reEligibility: always
    variants:
      - {id: plain, message: {message: "{{event.text}}", buttons: [Later, Buy]}}
      - {id: loud, message: {message: "{{event.text}}!", buttons: [Later, Buy]}}
      - {id: none, message: {kind: control}}
    """

  /// A person in a shop.
  private final class Customer {
    private let caller: Caller
    private let test: TestLoop
    private var lastRequest = 0

    init(_ name: String, port: UInt16, on test: TestLoop) throws {
      caller = try Caller(port: port, on: test)
      self.test = test
      try caller.greet(as: name)
      try ask("appState", #""visible":true"#)
    }

    /// Opens the shop, and does something with the message that comes: each a report's fields.
    func open(_ text: String, _ reports: String...) throws {
      let before = caller.lines.count { $0.contains("inAppMessage") }
      try ask("logEvent", #""name":"Shop Opened","properties":{"text":"\#(text)"}"#)
      try test.run { self.caller.lines.count { $0.contains("inAppMessage") } > before }
      let part = before == 0 ? "inAppMessage" : text
      let message = try #require(caller.value(of: "message", in: part))
      for report in reports {
        try ask("reportMessage", #""message":"\#(message)","report":\#(report)"#)
      }
    }

    private func ask(_ request: String, _ fields: String) throws {
      lastRequest += 1
      try caller.say(#"{"type":"\#(request)","id":\#(lastRequest),\#(fields)}"#)
      try test.run { self.caller.heard(#""type":"ok","id":\#(self.lastRequest)"#) }
    }
  }

  @Test func `each variant has a line with its people, clicks and dismissals`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["sale.yaml": Self.sale])
      let journal = ["--journal", folder.journal]
      let (server, port) = try Program.serve(
        ["--campaigns", folder.path, "--message-interval", "0"] + journal, on: test)
      let none = try Program.run(["campaigns", "results"] + journal, on: test)
      #expect(none.output == "no messages of campaigns\n", "\(none.errorOutput)")

      let seen = #""impression""#
      let (later, buy) = (#""clicked","button":"0""#, #""clicked","button":"1""#)
      let closed = #""dismissed","reason":"closeButton""#
      let gone = #""dismissed","reason":"action""#
      // The names decide the variants: a person's is always the same.
      let ann = try Customer("Ann", port: port, on: test)
      try ann.open("first", seen, buy, gone)
      try ann.open("once more", seen, closed)
      try Customer("Bob", port: port, on: test).open("first", seen, closed)
      try Customer("Ida", port: port, on: test).open("first")
      try Customer("Dora", port: port, on: test).open("first", seen, later, gone)
      try Customer("Cem", port: port, on: test).open("first", seen)
      try Customer("Eve", port: port, on: test).open("first")

      let table = try Program.run(["campaigns", "results"] + journal, on: test)
      #expect(table.ending == .exited(code: 0), "\(table.errorOutput)")
      #expect(
        table.output == """
          CAMPAIGN  VARIANT         SENT TO  SEEN BY  IMPRESSIONS  CLICKED BY  DISMISSED
          sale      loud            3        2        3            1 on “1”    closeButton 2, action 1
          sale      plain           1        1        1            1 on “0”    action 1
          sale      none (control)  2        1        1            -           -

          """, "\(table.output)")
      let json = try Program.run(["campaigns", "results", "--json"] + journal, on: test)
      #expect(
        json.output.contains(
          #"{"campaign":"sale","variant":"plain","control":false,"sent":1,"seen":1,"#
            + #""impressions":1,"clicks":[{"button":"0","people":1}],"dismissals":{"action":1}}"#),
        "\(json.output)")
      #expect(!server.hasEnded)
    }
  }
}
