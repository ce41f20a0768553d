import ClipTesting
import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

/// The start and end of the player's program.
@Suite(.serialized) struct MpvProgramTests {
  private func start(
    _ settings: MpvSettings = MpvSettings(),
    _ body: (TestLoop, PlayerRecorder, MpvPlayer) throws -> Void
  ) throws {
    try TestLoop.run { test in
      let recorder = PlayerRecorder(test)
      let player = try MpvPlayer(settings, on: test.loop, delegate: recorder)
      defer { player.close() }
      try body(test, recorder, player)
    }
  }

  @Test func `a person who quits closes the player`() throws {
    try start { test, recorder, player in
      player.load(try Clip.shared().withSound, startingAt: nil)
      try recorder.waitForLoaded()
      let person = try Person(at: player.socketPath, on: test)
      try person.say(#"{"command":["quit"]}"#)
      try test.run { !recorder.closeReasons.isEmpty }
      #expect(recorder.closeReasons == [.quit])
      player.perform(.play(rate: 1))
      player.load("x", startingAt: nil)
    }
  }

  @Test func `an mpv that is killed closes the player`() throws {
    try start { test, recorder, player in
      player.load(try Clip.shared().withSound, startingAt: nil)
      try recorder.waitForLoaded()
      let person = try Person(at: player.socketPath, on: test)
      let answer = try person.ask(
        #"{"command":["get_property","pid"],"request_id":7}"#, for: #""request_id":7"#)
      let digits = try #require(answer.split(separator: #""data":"#).last).prefix {
        $0.isNumber
      }
      let end = ProgramEnd()
      let killer = try ChildProcess(
        executable: "/bin/sh", arguments: ["-c", "kill -9 \(digits)"], on: test.loop, delegate: end)
      try test.run { !recorder.closeReasons.isEmpty && end.ending != nil }
      #expect(recorder.closeReasons == [.failed(reason: "mpv was killed by SIGKILL")])
      killer.close()
    }
  }

  @Test func `closing ends mpv, and tells nobody`() throws {
    try start { test, recorder, player in
      player.load(try Clip.shared().withSound, startingAt: nil)
      try recorder.waitForLoaded()
      let person = try Person(at: player.socketPath, on: test)
      player.close()
      player.close()
      try test.run { person.recorder.hasEnded || !person.recorder.errors.isEmpty }
      #expect(recorder.closeReasons.isEmpty)
      #expect(throws: EndpointError.self) { try Person(at: player.socketPath, on: test) }
    }
  }

  @Test func `a program that is not there is an error with advice`() throws {
    try TestLoop.run { test in
      var settings = MpvSettings()
      settings.executable = "/nowhere/mpv"
      let error = #expect(throws: PlayerStartError.self) {
        _ = try MpvPlayer(settings, on: test.loop, delegate: PlayerRecorder(test))
      }
      #expect(
        error?.description
          == """
          cannot start the player /nowhere/mpv: spawn: ENOENT: no such file or directory; \
          install mpv 0.33 or later, or give the path of one
          """)
    }
  }

  @Test func `a program that is no mpv closes the player`() throws {
    var settings = MpvSettings()
    settings.executable = "false"
    try start(settings) { test, recorder, player in
      try test.run { !recorder.closeReasons.isEmpty }
      #expect(
        recorder.closeReasons == [
          .failed(
            reason: "mpv exited with code 1; it must be 0.33 or later: run it to see its error")
        ])
    }
  }
}
