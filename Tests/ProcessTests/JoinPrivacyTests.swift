import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// What others hear of the files of those who use `matinee join`.
@Suite struct JoinPrivacyTests {
  @Test(arguments: [
    (["--privacy", "name"], #""url":"film.mp4","size":9"#),
    ([], #""url":"film.mp4","size":9"#),
    (["--privacy", "hash"], #""url":"da5973094b77","size":"19581e27de7c""#),
    (["--privacy", "none"], #""url":"**Hidden filename**"}"#),
  ])
  func `others hear what the person tells of a file, and never its path`(
    options: [String], told: String
  ) throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["film.mp4": "012345678", "more.mp4": ""])
      let (server, port) = try Program.serve(on: test)
      let eve = try Caller(port: port, on: test)
      try eve.enter("friday", as: "eve")
      let path = folder.path(of: "film.mp4")
      let ann = try Program.join("Ann", port, options + ["--stay", path], on: test)
      try test.run { eve.heard(#""type":"offer""#) }
      let session = try #require(eve.value(of: "session", in: #""type":"offer""#))
      try eve.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
      try test.run { ann.output.contains("paused at 0:00.0") }
      try ann.say("queue add \(folder.path(of: "more.mp4"))")
      try ann.say("queue add file://\(path)")
      try test.run { eve.lines.count { $0.contains(#""event":"inserted""#) } == 2 }
      try ann.say("queue remove \(path)")
      try test.run { eve.heard(#""event":"entryRemoved""#) }
      #expect(eve.line(#""type":"offer""#)?.contains(told) == true, "\(eve.lines)")
      let status = try Program.run(["status", "--server", "127.0.0.1:\(port)"], on: test)
      for text in eve.lines + [status.output, server.errorOutput] {
        #expect(!text.contains("matinee-test-"), "\(text)")
        #expect(told.contains("film") || !text.contains("film.mp4"), "\(text)")
      }
    }
  }
}
