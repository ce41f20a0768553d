import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// The films that people bring to a group, and its queue.
@Suite struct JoinFilmsTests {
  /// Whether these people watch together, as far as each of them is told.
  private func areTogether(_ ann: Program, _ ben: Program) -> Bool {
    isTold(of: "Ben", ann) && isTold(of: "Ann", ben)
  }

  /// Whether a person is told that another watches with them, whoever joined first.
  private func isTold(of name: String, _ person: Program) -> Bool {
    person.output.contains("\(name) joined")
      || person.output.split(separator: "\n").contains {
        $0.hasPrefix("joined; watching:") && $0.contains(name)
      }
  }

  @Test func `whoever is alone is told that they watch alone, and where they are`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      try ann.say("activate film.mp4")
      try test.run {
        ann.output.contains("there is no file film.mp4 here\n")
          && ann.output.contains("you watch alone: “film.mp4”\n")
      }
      try ann.say("expect player stands within 600\nplay\nexpect player runs within 600\n")
      try test.run { ann.output.contains("you watch alone: “film.mp4”, playing at 0:") }
      #expect(ann.output.contains("\nplaying\n"))
      #expect(server.ending == nil)
    }
  }

  /// Who of them starts their film depends on how quick the machine is.
  @Test func `of two who bring a film the one whose is not on is told, and not of a failure`()
    throws
  {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      let ben = try Program.join("Ben", port, ["next.mp4"], on: test)
      try test.run {
        (ann.output + ben.output).contains("is on already; `activate` puts yours on")
          && areTogether(ann, ben)
      }
      let late = ben.output.contains("is on already; `activate` puts yours on") ? ben : ann
      #expect(!(ann.output + ben.output).contains("did not work"))
      try late.say("activate")
      let title = late === ben ? "next.mp4" : "film.mp4"
      try test.run {
        ann.output.contains("on: “\(title)”") && ben.output.contains("on: “\(title)”")
      }
      try late.say("activate \(title) --at 95")
      try test.run { late.output.contains("the session goes on without the options") }
      #expect(server.ending == nil)
    }
  }

  @Test func `what is in the queue can be read, by the names that verbs take`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      try test.run { areTogether(ann, ben) && ben.output.contains("paused at 0:00.0") }
      try ann.say("queue add next.mp4")
      try test.run { ben.output.contains("Ann changed the queue") }
      #expect(ann.output.contains("there is no file next.mp4 here"))
      try ben.say("")
      try test.run { ben.output.contains("\nqueue:\n  ▶ film.mp4\n    next.mp4\n") }
      try ben.say("queue")
      try test.run { ben.output.ranges(of: "\n    next.mp4\n").count == 2 }
      #expect(server.ending == nil)
    }
  }

  @Test func `a path that somebody else names is not opened`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["diary.mp4": "a"])
      let path = folder.path(of: "diary.mp4")
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      let eve = try Caller(port: port, on: test)
      try eve.enter("friday", as: "eve")
      let activity = #"{"type":"watch","metadata":{"title":"Film"},"media":{"url":"\#(path)"}}"#
      try eve.say(#"{"type":"activate","id":9,"activity":\#(activity)}"#)
      try test.run { ann.output.contains("\(path) is opened only if you name it yourself") }
      #expect(ann.output.contains("`item FILE` opens your copy"))
      #expect(server.ending == nil)
    }
  }

  @Test func `a film that is not there is refused before mpv is started`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let path = folder.path(of: "filn.mp4")
      let ann = try Program.run(["join", "--group", "friday", "--as", "Ann", path], on: test)
      #expect(ann.ending == .exited(code: 66))
      #expect(ann.errorOutput.contains("there is no file \(path) here"))
    }
  }
}
