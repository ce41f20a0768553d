import Testing
import Vocabulary

@testable import SyncplayComparison

@Suite struct StateSilencesTests {
  private static let start = HostTime(microseconds: 1_000_000)

  private func silences(_ seconds: [Double]) -> StateSilences {
    var silences = StateSilences()
    for second in seconds {
      silences.noteState(at: Self.start + .microseconds(Int64(second * 1_000_000)))
    }
    return silences
  }

  @Test func `a State in two seconds is none`() {
    #expect(silences([0, 1, 3, 5.1]).count == 0)
  }

  @Test func `each longer gap is one, however long`() {
    #expect(silences([0, 2.3, 3, 13]).count == 2)
  }

  @Test func `one that goes on counts`() {
    let silences = silences([0, 1])
    #expect(silences.count(at: Self.start + .seconds(3)) == 0)
    #expect(silences.count(at: Self.start + .seconds(4)) == 1)
    #expect(silences.count == 0)
  }

  @Test func `who has no connection waits for nothing`() {
    var silences = silences([0, 1])
    silences.noteEnd(at: Self.start + .seconds(2))
    #expect(silences.count(at: Self.start + .seconds(60)) == 0)
    silences.noteState(at: Self.start + .seconds(60))
    #expect(silences.count == 0)
    silences.noteEnd(at: Self.start + .seconds(70))
    #expect(silences.count == 1)
  }

  @Test(arguments: [
    (#"{"State": {"ping": {}}}"#, ServerLine.state), (#"{"State":{}}"#, .state),
    (#"{"Hello": {"username": "ann"}}"#, .greeting), (#"{"Set": {"State": 1}}"#, .other),
    ("{", .other), ("", .other),
  ])
  func `lines are told by how they begin`(line: String, kind: ServerLine) {
    #expect(ServerLine(line.utf8.span) == kind)
  }
}
