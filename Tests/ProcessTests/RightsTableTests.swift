import GroupSessions
import LoopTesting
import ProgramTesting
import RightsTesting
import Testing

/// The article's table of rights is what the built program does over TCP.
@Suite struct RightsTableTests {
  /// Everybody has one address, and shows wrong keys; disks and a detailed log would take half a
  /// minute.
  private static let options = [
    "--guesses", "100000", "--journal", "memory", "--log-level", "info",
  ]

  @Test func `the table says of every request who may make it`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(Self.options, on: test)
      let stage = try ProgramStage(evening, on: test)
      let played = try RightsTable.played(withKey: stage.administratorKey) {
        stage.clear()
        return stage
      }
      let written = try RightsTable.written()
      for (name, row) in played.cells { #expect(written.cells[name] == row, "\(name)") }
      #expect(Set(written.cells.keys) == Set(played.cells.keys))
      try evening.stop()
    }
  }

  @Test(arguments: ControlPolicy.allCases)
  func `who founded another group may do nothing in this one`(control: ControlPolicy) throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(Self.options, on: test)
      let outside = try RightsTable.allowedOutside(
        under: control, on: try ProgramStage(evening, on: test))
      #expect(outside.requests == [])
      #expect(outside.messages == 0)
      try evening.stop()
    }
  }
}
