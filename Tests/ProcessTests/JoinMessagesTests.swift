import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// In-app messages at a terminal; programs with pipes play the people.
@Suite struct JoinMessagesTests {
  private static let offer = """
    triggers: {event: Film Finished}
    message:
      header: "{{event.title}}"
      message: "More? \\e[31mRed\\a"
      buttons:
        - Not now
        - {text: Show me, clickAction: {open: "https://films.example/more"}}
    """
  private static let player = """
    triggers: [{event: SharePlay Event}]
    reEligibility: always
    interval: ignore
    bindsSession: true
    message:
      kind: modal
      header: "{{event.title}}"
      extras: {view_type: video, video_url: "{{event.url}}", video_title: "{{event.title}}"}
    """

  // Proves: A17, F4, R-26
  @Test func `an event brings a panel, keys work it, and no campaign colours the screen`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["offer.yaml": Self.offer])
      let (server, port) = try Program.serve(["--campaigns", folder.path], on: test)
      let ann = try Program.join("Ann", port, on: test)
      try test.run { ann.output.contains("in group friday") }
      try ann.say("log Film Finished title=Sintel")
      try test.run { ann.output.contains("esc closes") }
      #expect(ann.output.contains("Sintel") && ann.output.contains("Show me"))
      #expect(!ann.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
      try ann.say("2")
      try test.run { ann.output.contains("open https://films.example/more") }
      try ann.say("status")
      try test.run { ann.output.contains("in the group: Ann") }
      ann.input?.finishWriting()
      try test.run { ann.hasEnded }
      #expect(server.ending == nil)
    }
  }

  // Proves: S3, S29, R-34
  @Test func `a shared film shows its message to all; a guest's esc leaves, the host's ends it`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["player.yaml": Self.player])
      let (server, port) = try Program.serve(["--campaigns", folder.path], on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let people = try [
        ann, Program.join("Ben", port, on: test), Program.join("Cid", port, on: test),
      ]
      try test.run {
        people.allSatisfy { $0.output.contains("▶ film.mp4") }
      }
      try ann.say("play")
      try test.run { people.allSatisfy { $0.output.contains("playing from 0:00.0") } }
      try people[1].say("esc")
      try test.run {
        ann.output.contains("Ben dismissed it")
          && people[1].output.contains("the session is over for you")
      }
      try ann.say("esc")
      try test.run { people[2].output.contains("over for you: Ann dismissed it for all") }
      for person in people { person.input?.finishWriting() }
      try test.run { people.allSatisfy { $0.hasEnded } }
      #expect(server.ending == nil)
    }
  }
}
