import EventLoops
import GroupSessions
import Testing
import Vocabulary

@testable import Journals
@testable import matinee

/// What the journal's tools print.
@Suite struct JournalTextTests {
  private var overview: JournalOverview {
    var overview = JournalOverview()
    overview.path = "j.sqlite"
    overview.bytes = 4096
    overview.logBytes = 1_234_567
    overview.schema = "1"
    overview.formats = [1]
    var live = JournalOverview.Stream(
      kind: "session", name: "s-1", began: Evening.began, ended: nil)
    (live.events, live.first, live.last, live.snapshot) = (3, 5, 7, 6)
    live.latest = Evening.began + .seconds(1)
    var over = JournalOverview.Stream(
      kind: "session", name: "s-0", began: Evening.began, ended: Evening.began + .seconds(2))
    over.reason = .empty
    var device = JournalOverview.Stream(
      kind: "device", name: "ann", began: Evening.began, ended: nil)
    device.answers = 4
    let lost = JournalOverview.Stream(
      kind: "unreadable group", name: "g", began: Evening.began, ended: Evening.began)
    overview.streams = [over, live, device, lost]
    overview.notices = [.init(at: Evening.began, "the group g cannot be read")]
    return overview
  }

  @Test func `an overview is tables`() {
    let time = "2026-11-21 15:04:0"
    #expect(
      overview.text(listingAll: false) == """
        j.sqlite: 4.1 kB, and 1.2 MB in its log; no server writes to it
        schema 1, records in format 1
        2 streams live, 1 ended, 1 set aside as unreadable; 3 events
        last event \(time)6 UTC

        sessions
          NAME  EVENTS  KEPT  SNAPSHOT  ANSWERS  BEGAN                    LAST                     ENDED
          s-0   0       -     -         -        \(time)5 UTC  -                        \(time)7 UTC (everyone has left)
          s-1   3       5–7   6         -        \(time)5 UTC  \(time)6 UTC  -

        devices
          NAME  EVENTS  KEPT  SNAPSHOT  ANSWERS  BEGAN                    LAST  ENDED
          ann   0       -     -         4        \(time)5 UTC  -     -

        set aside
          NAME                EVENTS  KEPT  SNAPSHOT  ANSWERS  BEGAN                    LAST  ENDED
          unreadable group g  0       -     -         -        \(time)5 UTC  -     \(time)5 UTC

        damage found
          \(time)5 UTC  the group g cannot be read
        """)
  }

  @Test func `of many streams the latest are shown, and the others counted`() {
    var many = overview
    many.notices = []
    many.streams = (1...25).map {
      JournalOverview.Stream(kind: "session", name: "n\($0)", began: Evening.began, ended: nil)
    }
    #expect(
      many.text(listingAll: false).hasSuffix("  and 5 older ones; --all lists them"))
    #expect(!many.text(listingAll: false).contains(" n5 "))
    #expect(many.text(listingAll: true).contains(" n5 "))
  }

  @Test func `people are a table of their own`() {
    var known = JournalOverview()
    var ann = JournalOverview.Stream(kind: "user", name: "ann", began: Evening.began, ended: nil)
    (ann.events, ann.first, ann.last, ann.snapshot) = (70, 1, 70, 64)
    known.streams = [ann]
    let lines = known.text(listingAll: false).split(separator: "\n")
    #expect(lines.contains("people"))
    #expect(lines.last?.hasPrefix("  ann   70      1–70  64        -        ") == true)
    #expect(known.json.contains(#"{"kind":"user","name":"ann","events":70,"#))
  }

  @Test(arguments: AggregateKind.allCases)
  func `streams of every kind are listed`(kind: AggregateKind) {
    var known = JournalOverview()
    known.streams = [.init(kind: kind.rawValue, name: "one", began: Evening.began, ended: nil)]
    #expect(known.text(listingAll: false).contains("\n  one   0 "))
  }

  @Test func `who writes is said`() {
    var busy = overview
    busy.writer = .held(by: 7)
    #expect(busy.text(listingAll: false).contains("a server writes to it, process 7"))
    #expect(busy.json.contains(#""inUse":true,"process":7"#))
    #expect(overview.json.contains(#""inUse":false"#))
    #expect(overview.json.contains(#"{"kind":"session","name":"s-1","events":3,"first":5,"#))
    #expect(
      overview.json.hasSuffix(
        #""notices":[{"at":1795273445000000,"text":"the group g cannot be read"}]}"#))
  }

  @Test func `a verification says what was looked at, and what is wrong`() {
    var found = JournalVerification()
    (found.streams, found.events, found.replayed) = (2, 9, 9)
    #expect(found.lines(of: .sqlite(path: "j"))[0] == "j: sound")
    #expect(!found.lines(of: .sqlite(path: "j")).contains("findings:"))
    found.complain("session s-1: event 3 is missing")
    #expect(found.lines(of: .sqlite(path: "j"))[0] == "j: damaged")
    #expect(
      found.lines(of: .sqlite(path: "j")).suffix(2) == [
        "findings:", "  session s-1: event 3 is missing",
      ])
    for _ in 0..<100 { found.complain("more") }
    #expect(found.lines(of: .sqlite(path: "j")).last == "  and 1 more")
  }
}
