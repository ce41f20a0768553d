import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// What apps keep in a group, on real servers with a journal.
@Suite struct GroupObjectTests {
  @Test func `it outlives a killed server and an import, and goes with the group`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let (path, copy) = (files.path(of: "journal.sqlite"), files.path(of: "copy.sqlite"))
      let (first, port) = try Program.serve(["--journal", "sqlite:\(path)"], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "ann")
      try test.run { ann.heard(#""type":"ok","id":1"#) }
      try ann.say(
        #"{"type":"updateObject","id":2,"object":"votes","set":{"ann":["Sintel",1.5],"old":1}}"#,
        #"{"type":"updateObject","id":3,"object":"votes","set":{"old":null}}"#)
      try test.run { ann.heard(#""type":"ok","id":3"#) }
      #expect(ann.line(#""event":"objectUpdated""#)?.contains(#""set":{"#) == true)
      let token = try #require(ann.value(of: "token", in: #""type":"welcome""#))
      first.kill(.kill)
      try test.run { first.hasEnded }

      let export = files.path(of: "export.jsonl")
      for arguments in [
        ["export", "--output", export, "--journal", "sqlite:\(path)"],
        ["import", export, "--journal", "sqlite:\(copy)"],
      ] {
        let program = try Program.run(["journal"] + arguments, on: test)
        #expect(program.ending == .exited(code: 0), "\(arguments): \(program.errorOutput)")
      }
      for place in [path, copy] {
        let (second, otherPort) = try Program.serve(["--journal", "sqlite:\(place)"], on: test)
        let back = try Caller(port: otherPort, on: test)
        try back.say(
          #"{"type":"hello","versions":[1],"user":"ann","device":"ann-1","name":"ann","features":["sessions"],"resume":{"token":"\#(token)"}}"#
        )
        try test.run { back.heard(#""type":"group""#) }
        let group = try #require(back.line(#""type":"group""#))
        #expect(group.contains(#""fields":{"ann":["Sintel",1.5]}"#), "\(group)")
        // The group is over with its only member, and another one of that name has no objects.
        try back.say(#"{"type":"leaveGroup","id":4}"#)
        try test.run { back.heard(#""type":"ok","id":4"#) }
        try back.say(#"{"type":"joinGroup","id":5,"group":"friday"}"#)
        try test.run { back.heard(#""type":"ok","id":5"#) }
        let states = back.lines.filter { $0.contains(#""type":"group","#) }
        #expect(states.count == 2 && states.last?.contains("votes") == false)
        second.kill(.terminate)
        try test.run { second.hasEnded }
      }
    }
  }
}
