import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Scenarios
import Stages
import Testing
import Vocabulary

@testable import matinee

/// Demonstrations that other programs have played.
@Suite struct RecordingTests {
  /// Two people who watch from 1 s to 9 s, ben this far behind in milliseconds; ben stops from 5 s
  /// to 6 s.
  private static func evening(behind: Int64, end: String = #"{"end":true,"at":10000000}"#) -> String
  {
    var lines = [
      #"{"recording":"browser","at":0}"#,
      #"{"at":500000,"person":"ann","did":"play","phase":"start"}"#,
    ]
    for index in Int64(25)...450 {
      let at = index * 20_000
      if at == 4_000_000 {
        lines.append(
          #"{"at":4000000,"person":"ben","did":"download stalls","verb":"stall 1","phase":"stall"}"#
        )
      }
      let played = max(at - 1_000_000, 0)
      let stalled = at >= 5_000_000 && at < 6_000_000
      let late = stalled ? 4_000_000 : played
      lines.append(#"{"at":\#(at),"person":"ann","place":\#(played)}"#)
      lines.append(
        #"{"at":\#(at),"person":"ben","place":\#(late - (played > 0 ? behind * 1000 : 0)),"frame":7}"#
      )
    }
    return (lines + [end]).joined(separator: "\n") + "\n"
  }

  private static func recording(_ text: String) throws(Recording.Flaw) -> Recording {
    try Recording(Array(text.utf8), file: "evening.jsonl")
  }

  private static func value(
    _ phase: String, _ name: String, in recording: Recording
  ) -> PlayheadFigure? {
    recording.figures.first { $0.phase == phase && $0.name == name }
  }

  @Test func `its figures are those of its players, aimed at what pages reach`() throws {
    let recording = try Self.recording(Self.evening(behind: 12))
    let median = try #require(Self.value("start", "apart, median", in: recording))
    #expect(abs((median.value ?? 0) - 12) < 0.1)
    #expect(median.target == 15)
    #expect(median.isMet == true)
  }

  @Test func `a stall is measured from the stop to the moment in sync`() throws {
    let recording = try Self.recording(Self.evening(behind: 12))
    let back = try #require(Self.value("stall", "from its stop to in sync again", in: recording))
    #expect((950...1050).contains(back.value ?? 0), "\(back)")
  }

  @Test func `its plot marks what was pressed in people's words`() throws {
    let plot = try #require(try Self.recording(Self.evening(behind: 12)).plot)
    #expect(plot.lines.map(\.name) == ["ann", "ben"])
    #expect(plot.marks.map(\.text) == ["ann: play", "ben: download stalls"])
  }

  @Test(arguments: [
    ("", 0, "no end"), ("{}", 1, "at"), (#"{"at":1}"#, 1, "names no recording"),
    (#"{"recording":"x","at":5}"# + "\n" + #"{"at":4,"person":"a","place":1}"#, 2, "order of time"),
    (#"{"recording":"x","at":5}"# + "\n" + "nonsense", 2, "JSON"),
    (
      #"{"recording":"x","at":5}"# + "\n" + #"{"at":6,"person":"a","did":"dance","phase":"p"}"#, 2,
      "dance"
    ),
    (#"{"recording":"x","at":5}"# + "\n" + #"{"at":6,"person":"a","place":1}"#, 2, "no end"),
  ])
  func `a mistake in it is told with its line`(text: String, line: Int, reason: String) {
    #expect {
      _ = try Self.recording(text)
    } throws: { error in
      guard let flaw = error as? Recording.Flaw else { return false }
      return flaw.line == line && "\(flaw)".contains(reason) && "\(flaw)".contains("scripts/demo")
    }
  }

  // MARK: The command

  @Test func `the command prints its table and draws its plot`() throws {
    let folder = try ScratchFolder(["evening.jsonl": Self.evening(behind: 12)])
    let path = folder.path(of: "evening.jsonl")
    try TestLoop.run { test in
      let plot = folder.path(of: "apart.svg")
      let program = try Program.demo(["--recording", path, "--plot", plot], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.errorOutput)")
      #expect(program.output.contains("apart, median"))
      #expect(program.output.contains("≤ 15 ms"))
      let text = try String(contentsOfFile: plot, encoding: .utf8)
      #expect(text.hasPrefix("<svg"))
    }
  }

  @Test func `simulated players are drawn, too`() throws {
    let folder = try ScratchFolder()
    try TestLoop.run { test in
      let plot = folder.path(of: "apart.svg")
      let program = try Program.demo(["late-joiner", "--virtual", "--plot", plot], on: test)
      #expect(program.ending == .exited(code: 0))
      let text = try String(contentsOfFile: plot, encoding: .utf8)
      #expect(text.contains("late joiner: how far the players are apart"))
      #expect(text.contains("join"))
    }
  }

  @Test(arguments: [
    (["--recording", "/nothing"], 66, "no recording"),
    (["--recording", "/nothing", "together"], 64, "--recording"),
    (["--all", "--plot", "x.svg"], 64, "--plot"),
    (["activation-cancelled", "--virtual", "--plot", "x.svg"], 1, "nothing to draw"),
    (["late-joiner", "--virtual", "--plot", "/nothing/x.svg"], 73, "cannot be written"),
    (["browser"], 66, "scripts/demo browser"),
  ])
  func `what cannot be done is told`(arguments: [String], code: Int64, hint: String) throws {
    try TestLoop.run { test in
      let program = try Program.demo(arguments, on: test)
      #expect(program.ending == .exited(code: code))
      #expect(program.errorOutput.contains(hint))
    }
  }
}
