import Testing

@testable import matinee

/// The lines of chat that conditions may name.
@Suite struct HeardLinesTests {
  @Test func `the last lines are kept, as many as may`() {
    var heard = HeardLines()
    for number in 0..<1_500 { heard.add("\(number)") }
    #expect(heard.texts == (500..<1_500).map { "\($0)" })
  }
}
