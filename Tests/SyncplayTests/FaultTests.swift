import Testing

@testable import Syncplay

/// What a client and the server's log are told of a fault.
@Suite struct FaultTests {
  @Test(
    arguments: [
      .notJSON(line: "5f4dcc3b"), .malformed("The field '5f4dcc3b' is missing."),
      .echoed("5f4dcc3b"), .unknownCommand("5f4dcc3b"), .removed(room: "+lobby:0123:5f4dcc3b"),
    ] as [SyncplayFault])
  func `the client gets its own text back, and the log has none of it`(fault: SyncplayFault) {
    #expect(fault.message.contains("5f4dcc3b"))
    #expect(!fault.reason.contains("5f4dcc3b") && !fault.reason.isEmpty)
  }
}
