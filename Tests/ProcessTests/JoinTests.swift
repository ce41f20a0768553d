import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// People at terminals, played by programs with pipes.
@Suite struct JoinTests {
  /// Whether a program knows another participant, regardless of who joined first.
  private func isWith(_ name: String, _ program: Program) -> Bool {
    program.output.contains("\(name) joined")
      || program.output.split(separator: "\n").contains {
        $0.hasPrefix("joined; watching:") && $0.contains(name)
      }
  }

  @Test func `two people watch together, and what one does the other sees`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      let ben = try Program.join("Ben", port, on: test)
      try test.run {
        isWith("Ben", ann) && ann.output.contains("paused at 0:00.0")
          && ben.output.contains("paused at 0:00.0")
      }
      for output in [ann.output, ben.output] {
        #expect(output.components(separatedBy: "Ann started “film.mp4”").count == 2)
      }
      try ann.say("play")
      try test.run { ben.output.contains("playing from 0:00.0") }
      try ben.say("pause")
      try test.run { ann.output.contains("Ben paused") }
      try ann.say("seek 1:30")
      try test.run { ben.output.contains("paused at 1:30.0") }
      try ben.say("say hello")
      try test.run { ann.output.contains("Ben: hello") }
      try ann.say(#"say he said "yes""#)
      try test.run { ben.output.contains(#"Ann: he said "yes""#) }
      try ann.say("")
      try test.run { ann.output.contains("Ann (you)  host") }
      let status = try Program.run(["status", "--server", "127.0.0.1:\(port)"], on: test)
      #expect(status.ending == .exited(code: 0))
      #expect(status.output.contains("paused at 1:30.0"))
      #expect(status.output.contains("Ben"))
      try ben.say("quit")
      try test.run { ben.hasEnded && ann.output.contains("Ben left") }
      #expect(ben.ending == .exited(code: 0))
      ann.input?.finishWriting()
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 0))
      #expect(server.ending == nil)
    }
  }

  @Test func `what others are called and say cannot write elsewhere on the screen`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let (server, port) = try Program.serve(["--journal", folder.journal], on: test)
      let ann = try Program.join("Ann", port, on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      let eve = try Caller(port: port, on: test)
      try eve.say(
        #"{"type":"hello","user":"Eve","name":"Eve\u001b[2J\nBen joined"}"#,
        #"{"type":"joinGroup","id":1,"group":"friday"}"#,
        #"{"type":"activate","id":2,"activity":{"type":"watch","metadata":{"title":"a\u009b31m\nfilm"},"media":{"url":"film.mp4"}}}"#
      )
      try test.run { ann.output.contains("joined; watching") }
      let session = try #require(eve.value(of: "session", in: #""type":"offer""#))
      try eve.say(
        #"{"type":"join","id":3,"session":"\#(session)"}"#,
        #"{"type":"send","id":4,"payload":{"chat":"\u001b]52;c;x\u0007\nsent"}}"#)
      try test.run { ann.output.contains("sent") }
      try ann.say("who")
      try test.run { ann.output.contains("Eve[2J Ben joined  ") }
      let status = try Program.run(["status", "--server", "127.0.0.1:\(port)"], on: test)
      let journal = ["--journal", folder.journal]
      let replay = try Program.run(["replay", session] + journal, on: test)
      let state = try Program.run(["replay", session, "--at", "4"] + journal, on: test)
      for output in [ann.output, status.output, replay.output, state.output] {
        #expect(output.contains("Eve[2J Ben joined"), "\(output)")
        #expect(output.split(separator: "\n").allSatisfy { !$0.hasPrefix("Ben") && $0 != "sent" })
        #expect(output.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl })
      }
      let machines = [
        try Program.run(["status", "--json", "--server", "127.0.0.1:\(port)"], on: test),
        try Program.run(["replay", session, "--json"] + journal, on: test),
        try Program.run(["replay", "--json"] + journal, on: test),
      ]
      for program in machines {
        #expect(program.output.contains(#"a\u009b31m"#), "\(program.output)")
        #expect(program.output.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl })
      }
      #expect(server.ending == nil)
    }
  }

  @Test func `whoever has nothing to say leaves quietly`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      ann.input?.finishWriting()
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 0))
      #expect(!ann.output.contains("closed") && !ann.output.contains("did not work"))
      #expect(ann.errorOutput.isEmpty)
      #expect(server.ending == nil)
    }
  }

  @Test func `whoever loses the terminal has left, unless nohup started the program`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      let cleo = try Program(
        [
          try Program.path, "join", "--server", "127.0.0.1:\(port)", "--group", "friday", "--as",
          "Cleo", "--player", "simulated",
        ], of: "nohup", on: test, takesInput: true)
      try test.run { isWith("Ben", ann) && isWith("Ann", ben) && isWith("Ann", cleo) }
      for person in [ben, cleo] { person.kill(.hangUp) }
      try test.run { ben.hasEnded && ann.output.contains("Ben left") }
      #expect(ben.ending == .exited(code: 0))
      try cleo.say("say still here")
      try test.run { ann.output.contains("Cleo: still here") || cleo.hasEnded }
      #expect(cleo.ending == nil)
      #expect(server.ending == nil)
    }
  }

  @Test func `a player that fails ends the program with why`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let folder = try ScratchFolder()
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(of: "mpv"), withDestinationPath: "/bin/false")
      var environment = ProcessInfo.processInfo.environment
      environment["PATH"] = folder.path + ":" + environment["PATH", default: ""]
      let ann = try Program(
        [
          "join", "--server", "127.0.0.1:\(port)", "--group", "friday", "--as", "Ann",
          "--headless",
        ], environment: environment, on: test, takesInput: true)
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 69), "\(ann.output)")
      #expect(ann.errorOutput.contains("matinee: mpv exited with code 1"))
      #expect(server.ending == nil)
    }
  }

  @Test func `whoever has nothing to say to a server that is not there hears so`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      let ann = try Program.join("Ann", port, on: test)
      ann.input?.finishWriting()
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 69))
      #expect(ann.errorOutput.contains("cannot connect to 127.0.0.1:\(port)"))
    }
  }

  @Test func `a mistyped verb is told, and nothing else happens`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, on: test)
      try ann.say("dance")
      try test.run { ann.output.contains("there is no verb `dance`; help lists the verbs") }
      try ann.say("help")
      let last = "Keys are for what came on screen last.\n"
      try test.run { ann.output.contains("Verbs, one a line:") && ann.output.contains(last) }
      for verb in ["decline [invitation]", "accept invitation", "reply TEXT", "tap"] {
        #expect(ann.output.contains("\n  \(verb)\n"), "\(verb)")
      }
      #expect(ann.output.contains("\n  player runs|stands\n"))
      #expect(!ann.output.contains("--audience"))
      try ann.say(String(repeating: "x", count: 70_000))
      try test.run { ann.output.contains("cannot read verbs: a line has more than 65536 bytes") }
      try ann.say("play")
      try test.run { ann.output.contains("not now: you watch nothing with the group") }
      try ann.say("activate")
      try test.run { ann.output.contains("not now: name what to watch") }
      try ann.say("set")
      try test.run { ann.output.contains("\nwrite `set KEY=VALUE|KEY`\n") }
      try ann.say("help seek")
      try test.run { ann.output.contains("\n`seek POSITION`\n") }
      #expect(!ann.hasEnded)
      #expect(server.ending == nil)
    }
  }

  @Test func `a script goes on when what it needs is there, and leaves behind its last line`()
    throws
  {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ben = try Program.join("Ben", port, on: test)
      let ann = try Program.join("Ann", port, on: test)
      // Waits long, because other tests may occupy the processors for minutes.
      try ann.say(
        """
        expect eligible within 600
        activate film.mp4 --waiting together
        expect joined within 600
        expect participants Ann Ben within 600
        play
        expect playing within 600
        expect beyond 0.2 within 600
        pause
        expect paused within 600
        dance
        wait 10 ms
        """)
      ann.input?.finishWriting()
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 0), "\(ann.output) \(ann.errorOutput)")
      #expect(ann.output.contains("as expected: beyond 0.2"))
      #expect(ann.output.contains("there is no verb `dance`"))
      try test.run { ben.output.contains("Ann paused") && ben.output.contains("Ann left") }
      #expect(server.ending == nil)
    }
  }

  /// The last line of a script may have no line feed.
  @Test(arguments: ["\nplay\n", ""])
  func `a script ends with 2 where what it expects does not come`(rest: String) throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["--stay"], on: test)
      let script = "expect connected within 600\nexpect playing within 0.1" + rest
      try ann.input?.write(SharedBytes(script))
      ann.input?.finishWriting()
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 2))
      #expect(ann.errorOutput.contains("expected: playing; but Ann: "), "\(ann.errorOutput)")
      #expect(!ann.output.contains("not now"))
      #expect(server.ending == nil)
    }
  }

  @Test func `a script ends with 2 where what it expects cannot be read`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, on: test)
      try ann.say("expect plaing\nquit")
      try test.run { ann.hasEnded }
      #expect(ann.ending == .exited(code: 2))
      #expect(ann.errorOutput.contains("no condition `plaing`"), "\(ann.errorOutput)")
      #expect(server.ending == nil)
    }
  }

  /// The server has a named place for one of the two, so that the other one is the audience.
  @Test(arguments: ["activate", "stage"])
  func `a session that a verb starts has an audience`(verb: String) throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--named-places", "1"], on: test)
      let ann = try Program.join("Ann", port, on: test)
      let ben = try Program.join("Ben", port, on: test)
      try ann.say("expect eligible within 600\n\(verb) film.mp4")
      if verb == "stage" {
        try test.run { ben.output.contains("Ann prepared “film.mp4”") }
        try ben.say("begin")
      }
      try test.run { (ann.output + ben.output).contains("watching besides: 1") }
      #expect(server.ending == nil)
    }
  }

  @Test func `what is steered offline moves one's own player, though a line of chat waits`() throws
  {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      try test.run { isWith("Ben", ann) && ben.output.contains("paused at 0:00.0") }
      try ben.say("play")
      try ben.say("expect player runs")
      try test.run { ben.output.contains("as expected: player runs") }
      server.kill(.kill)
      try test.run { ben.output.contains("connection lost") }
      try ben.say("say I am offline")
      try ben.say("pause")
      try ben.say("expect player stands")
      try test.run { ben.output.contains("as expected: player stands") }
      #expect(ann.ending == nil)
    }
  }

  @Test func `what one prepares another begins`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, on: test)
      let ben = try Program.join("Ben", port, on: test)
      try ann.say("expect eligible within 600\nstage film.mp4 --at 60")
      try test.run {
        [ann, ben].allSatisfy { $0.output.contains("Ann prepared “film.mp4”; `begin` starts it") }
      }
      try ben.say("activate other.mp4")
      try test.run { ben.output.contains("`begin` if it is only prepared") }
      try ann.say("")
      try test.run { ann.output.contains("you prepared “film.mp4”; `begin` starts it, `withdraw`") }
      try ben.say("begin")
      try test.run { ann.output.contains("paused at 1:00.0") && isWith("Ann", ben) }
      try ben.say("tell Ann psst")
      try test.run { ann.output.contains("Ben (to you): psst") }
      #expect(server.ending == nil)
    }
  }

  @Test func `whoever is removed by a host is sent away`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      try test.run { isWith("Ben", ann) }
      try ann.say("kick Ben")
      try test.run { ben.hasEnded }
      #expect(ben.ending == .exited(code: 1))
      #expect(ben.output.contains("a host removed you"))
      #expect(server.ending == nil)
    }
  }

  @Test func `join waits for a server that is not there yet`() throws {
    try TestLoop.run { test in
      let (first, port) = try Program.serve(on: test)
      first.kill(.terminate)
      try test.run { first.hasEnded }
      let ann = try Program.join("Ann", port, on: test)
      try test.run { ann.output.contains("trying again") }
      let second = try Program(
        ["serve", "--listen", "127.0.0.1:\(port)", "--journal", "memory"], on: test)
      try test.run { ann.output.contains("in group friday: Ann") }
      #expect(second.ending == nil)
    }
  }

  @Test(arguments: [
    (["join"], "--group"), (["join", "--group", "g"], "--as"),
    (["join", "--group", "g", "--as", "A", "--server", "x:y"], "such as 127.0.0.1:7878"),
    (["join", "--group", "g", "--as", "A", "--offset", "9999"], "5000 ms"),
    (["join", "--group", "", "--as", "A"], "--group takes a name of 1 to 64 bytes"),
    (["join", "--group", "g", "--as", ""], "--as takes a name of 1 to 64 bytes"),
    (
      ["join", "--group", "g", "--as", "मोहम्मद अब्दुल रहमान सिद्दीकी"],
      "--as takes a name of 1 to 64 bytes, and this one has 81"
    ),
    (["join", "--group", "g", "--as", "A", "--player", "vlc"], "'mpv' and 'simulated'"),
    (["serve", "--listen", "here"], "such as 127.0.0.1:7878"),
    (["serve", "--peers", "many"], "Connections at once"),
    (["serve", "--resume-grace", "-1"], "must be more than 0 and at most 86400 seconds, not -1.0"),
    (["serve", "--journal-retention", "-1"], "takes a number of days from 0 to 36500"),
    (["serve", "--peers", "-1"], "--peers must be at least 1, not -1"),
    (
      ["serve", "--message-burst", "\(Int.max)"],
      "--message-burst must be at most 1099511627776, not \(Int.max)"
    ),
    (["serve", "--line-bytes", "67108865"], "--line-bytes must be at most 67108864, not 67108865"),
    (["status", "--timeout", "-1"], "--timeout must be more than 0"),
    (["join", "--group", "g", "--as", "A", "--offset", "-9999"], "not -9999.0"),
    (["demo", "--virtul"], "Did you mean '--virtual'?"),
    (["demo", "--list", "together"], "leave the scenario and --all out"),
    (["demo", "--all", "together"], "not both"),
    (["demo", "--recording", "x", "--tls"], "leave the scenario and its options out"),
    (["demo", "--recording", "x", "--windows"], "leave the scenario and its options out"),
    (["demo", "--recording", "x", "--seed", "1"], "leave the scenario and its options out"),
    (["status", "--server", "nowhere"], "such as 127.0.0.1:7878"),
    (["status", "--timeout", "0"], "--timeout"),
  ])
  func `a mistake on the command line says what is right`(
    mistake: (arguments: [String], hint: String)
  ) throws {
    try TestLoop.run { test in
      let program = try Program.run(mistake.arguments, on: test)
      #expect(program.ending == .exited(code: 64))
      #expect(program.errorOutput.contains(mistake.hint))
      // The usage shown is that of the subcommand.
      #expect(program.errorOutput.contains("matinee \(mistake.arguments[0]) --help"))
    }
  }

  @Test func `status of a server that is not there says so`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      let status = try Program.run(["status", "--server", "127.0.0.1:\(port)"], on: test)
      #expect(status.ending == .exited(code: 69))
      #expect(status.errorOutput.contains("no server listens there"))
    }
  }
}
