import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct ImpressionLogTests {
  /// A history of impressions at these seconds, the last one last.
  private func history(_ seconds: Int64...) throws -> ImpressionHistory {
    let instants = seconds.map { Instant(microseconds: $0 * 1_000_000) }
    return ImpressionHistory(
      count: seconds.count, last: try #require(instants.last), earlier: instants.dropLast())
  }

  @Test func `each campaign has its own history, in any order of insertion`() throws {
    let (a, b, c) = (try history(1, 2, 3), try history(4), try history(5, 6))
    for log in [
      ImpressionLog([("a", a), ("b", b), ("c", c)]), ImpressionLog([("c", c), ("b", b), ("a", a)]),
    ] {
      #expect(log.campaigns == ["a", "b", "c"])
      #expect(log["a"] == a)
      #expect(log["b"] == b)
      #expect(log["c"] == c)
    }
  }

  @Test func `of two histories of a campaign the last one counts, and no other changes`() throws {
    let (old, new, other) = (try history(1, 2, 3), try history(7, 8), try history(4, 5, 6))
    let log = ImpressionLog([("a", old), ("b", other), ("a", new)])
    #expect(log["a"] == new)
    #expect(log["b"] == other)
    #expect(log == ImpressionLog([("a", new), ("b", other)]))
  }

  @Test func `when one campaign is forgotten, the others keep their histories`() throws {
    let other = try history(4, 5)
    var log = ImpressionLog([("a", try history(1, 2)), ("b", other)])
    log["a"] = nil
    #expect(log["a"] == nil)
    #expect(log["b"] == other)
  }
}
