import Testing
import Vocabulary

@Suite struct DeadlinesTests {
  private static func at(_ second: Int) -> Instant { Instant(microseconds: 0) + .seconds(second) }

  @Test func `each is woken once, in the order of its time`() {
    var deadlines = Deadlines<String>()
    deadlines.arm("late", at: Self.at(9))
    deadlines.arm("early", at: Self.at(3))
    #expect(deadlines.earliest == Self.at(3))
    #expect(deadlines.popDue(at: Self.at(2)) == nil)
    #expect(deadlines.popDue(at: Self.at(9)) == "early")
    #expect(deadlines.popDue(at: Self.at(9)) == "late")
    #expect(deadlines.popDue(at: Self.at(99)) == nil)
    #expect(deadlines.earliest == nil)
  }

  @Test func `the earlier of two wishes is met, and none is lost`() {
    var deadlines = Deadlines<String>()
    deadlines.arm("ann", at: Self.at(9))
    deadlines.arm("ann", at: Self.at(3))
    #expect(deadlines.popDue(at: Self.at(3)) == "ann")
    deadlines.arm("ann", at: Self.at(9))
    #expect(deadlines.popDue(at: Self.at(9)) == "ann")
  }

  @Test func `those who were forgotten long before their time leave nothing`() {
    var deadlines = Deadlines<Int>()
    for second in 100..<200 { deadlines.arm(second, at: Self.at(second)) }
    for guest in 1_000..<9_000 {
      deadlines.arm(guest, at: Self.at(guest < 5_000 ? 50 : 500))
      deadlines.forget(guest)
    }
    #expect(deadlines.earliest == Self.at(100))
    for second in 100..<200 { #expect(deadlines.popDue(at: Self.at(second)) == second) }
    #expect(deadlines.popDue(at: Self.at(999)) == nil)
    #expect(deadlines.earliest == nil)
  }

  @Test func `who is armed again and again is kept once`() {
    var deadlines = Deadlines<Int>()
    for second in 0..<1000 { deadlines.arm(1, at: Self.at(5 + second)) }
    deadlines.arm(2, at: nil)
    var woken = 0
    while deadlines.popDue(at: Self.at(10_000)) != nil { woken += 1 }
    #expect(woken == 1)
  }
}
