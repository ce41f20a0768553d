import Testing
import Vocabulary

@testable import Server

@Suite struct ComplaintsTests {
  @Test func `one of a kind is said a minute, with how many were not`() {
    var complaints = Complaints()
    func raise(_ kind: String, _ seconds: Int64) -> Int? {
      complaints.raise(kind, at: HostTime(microseconds: seconds * 1_000_000))
    }
    #expect(raise("a", 0) == 0)
    #expect(raise("a", 0) == nil && raise("a", 59) == nil)
    #expect(raise("b", 59) == 0)
    #expect(raise("a", 60) == 2)
    #expect(raise("a", 61) == nil)
    #expect(raise("a", 1_000) == 1)
    #expect(raise("a", 2_000) == 0)
  }
}
