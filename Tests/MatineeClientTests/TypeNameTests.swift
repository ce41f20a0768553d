import MatineeClient
import Testing

private struct Board: GroupActivity {
  var title = ""
  var metadata: GroupActivityMetadata { GroupActivityMetadata(title: title) }
}

/// Names by which the installations of an app know its types.
@Suite struct TypeNameTests {
  @Test func `a private or local type's name has no address in memory`() {
    struct Local: GroupActivity {
      var metadata: GroupActivityMetadata { GroupActivityMetadata(title: "") }
    }
    #expect(Board.activityIdentifier == "MatineeClientTests.Board")
    #expect(Local.activityIdentifier.hasSuffix("Local"))
    #expect(!Local.activityIdentifier.contains("$"))
  }
}
