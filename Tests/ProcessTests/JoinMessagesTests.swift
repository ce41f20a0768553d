import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// In-app messages at a terminal, as programs with pipes.
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

  private func join(_ name: String, _ port: UInt16, _ more: [String] = [], on test: TestLoop) throws
    -> Program
  {
    try Program(
      [
        "join", "--server", "127.0.0.1:\(port)", "--group", "friday", "--as", name, "--player",
        "simulated",
      ] + more, on: test, takesInput: true)
  }

  private func say(_ line: String, to program: Program) throws {
    try program.input?.write(SharedBytes(line + "\n"))
  }

  // Proves: A17, F4, R-26
  @Test func `an event brings a panel, keys work it, and no campaign colours the screen`() throws {
    try TestLoop.run { test in
      let folder = try CampaignFolder(["offer.yaml": Self.offer])
      let (server, port) = try Program.serve(["--campaigns", folder.path], on: test)
      let ann = try join("Ann", port, on: test)
      try test.run { ann.output.contains("in group friday") }
      try say("log Film Finished title=Sintel", to: ann)
      try test.run { ann.output.contains("esc closes") }
      #expect(ann.output.contains("Sintel") && ann.output.contains("Show me"))
      #expect(!ann.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
      try say("2", to: ann)
      try test.run { ann.output.contains("open https://films.example/more") }
      try say("status", to: ann)
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
      let folder = try CampaignFolder(["player.yaml": Self.player])
      let (server, port) = try Program.serve(["--campaigns", folder.path], on: test)
      let ann = try join("Ann", port, ["film.mp4"], on: test)
      let people = try [ann, join("Ben", port, on: test), join("Cid", port, on: test)]
      try test.run(within: .seconds(20)) {
        people.allSatisfy { $0.output.contains("▶ film.mp4") }
      }
      try say("play", to: ann)
      try test.run { people.allSatisfy { $0.output.contains("playing from 0:00.0") } }
      try say("esc", to: people[1])
      try test.run { ann.output.contains("Ben dismissed it") }
      #expect(people[1].output.contains("the session is over for you"))
      try say("esc", to: ann)
      try test.run { people[2].output.contains("the session is over for you") }
      for person in people { person.input?.finishWriting() }
      try test.run { people.allSatisfy { $0.hasEnded } }
      #expect(server.ending == nil)
    }
  }
}
