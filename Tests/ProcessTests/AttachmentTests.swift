import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// What people give to a session, on real servers with a journal.
@Suite struct AttachmentTests {
  private func serve(_ path: String, on test: TestLoop) throws -> (server: Program, port: UInt16) {
    try Program.serve(["--journal", "sqlite:\(path)"], on: test)
  }

  /// Two people in one session, to which the first one gives `hello`.
  private struct Evening {
    let ann: Caller
    let ben: Caller
    let attachment: String

    init(port: UInt16, on test: TestLoop) throws {
      let callers = try ["ann", "ben"].map { name in
        let caller = try Caller(port: port, on: test)
        try caller.enter("friday", as: name)
        try test.run { caller.heard(#""id":1"#) }
        return caller
      }
      (ann, ben) = (callers[0], callers[1])
      try ann.say(#"{"type":"activate","id":2,"activity":{"type":"a","metadata":{"title":"b"}}}"#)
      try test.run { [ann] in ann.heard(#""id":2,"session""#) }
      let session = try #require(ann.value(of: "session", in: #""id":2,"session""#))
      for caller in callers {
        try caller.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
        try test.run { caller.heard(#""type":"snapshot""#) }
      }
      try ann.say(#"{"type":"addAttachment","id":4,"bytes":5,"metadata":"hi"}"#)
      try test.run { [ann] in ann.heard(#""id":4,"attachment""#) }
      attachment = try #require(ann.value(of: "attachment", in: #""id":4,"#))
      try ann.say(
        #"{"type":"addAttachmentPart","id":5,"attachment":"\#(attachment)","part":0,"data":"aGVsbG8"}"#
      )
      try test.run { [ann, ben] in
        ann.heard(#""id":5"#) && ben.heard(#""event":"attachmentAdded""#)
      }
    }
  }

  /// Ben on the server that goes on.
  private func resume(_ evening: Evening, port: UInt16, on test: TestLoop) throws -> Caller {
    let token = try #require(evening.ben.value(of: "token", in: #""type":"welcome""#))
    let again = try Caller(port: port, on: test)
    try again.say(
      #"{"type":"hello","versions":[1],"user":"ben","device":"ben-1","name":"ben","features":["sessions"],"resume":{"token":"\#(token)"}}"#
    )
    try test.run { again.heard(#""type":"welcome""#) }
    return again
  }

  @Test func `it outlives a killed server and an import, and goes with the session`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let (path, copy) = (files.path(of: "journal.sqlite"), files.path(of: "copy.sqlite"))
      let (first, port) = try serve(path, on: test)
      let evening = try Evening(port: port, on: test)
      first.kill(.kill)
      try test.run { first.hasEnded }

      let export = files.path(of: "export.jsonl")
      for arguments in [
        ["verify", "--journal", "sqlite:\(path)"],
        ["export", "--output", export, "--journal", "sqlite:\(path)"],
        ["import", export, "--journal", "sqlite:\(copy)"],
      ] {
        let program = try Program.run(["journal"] + arguments, on: test)
        #expect(program.ending == .exited(code: 0), "\(arguments): \(program.errorOutput)")
      }
      for place in [path, copy] {
        let (second, otherPort) = try serve(place, on: test)
        let ben = try resume(evening, port: otherPort, on: test)
        try ben.say(
          #"{"type":"loadAttachment","id":6,"attachment":"\#(evening.attachment)","part":0}"#)
        try test.run { ben.heard(#""id":6,"data":"aGVsbG8""#) }
        try ben.say(#"{"type":"end","id":7}"#)
        try test.run { ben.heard(#""id":7"#) }
        second.kill(.terminate)
        try test.run { second.hasEnded }
        let after = try Program.run(
          ["journal", "export", "--journal", "sqlite:\(place)"], on: test)
        #expect(after.output.contains("attachmentAdded"))
        #expect(!after.output.contains("aGVsbG8"))
      }
    }
  }
}
