import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import SyncplayTesting
import Testing

/// The built server as Syncplay's clients see it.
@Suite struct ServeSyncplayTests {
  private static let listening = ["--syncplay", "127.0.0.1:0"]

  @Test func `netcat is enough to come by Syncplay`() throws {
    try TestLoop.run { test in
      let (server, _) = try Program.serve(Self.listening, on: test)
      let port = try #require(server.syncplayPort)
      let netcat = try Program(
        ["127.0.0.1", "\(port)", "-q", "1"], of: "nc", on: test, takesInput: true)
      let hello = SyncplayScript.hello("ann", room: "friday")
      try netcat.input?.write(SharedBytes(hello + "\r\n" + #"{"List":null}"# + "\r\n"))
      // It quits a second after the end of its input, with or without an answer.
      try test.run { netcat.output.contains(#"{"List":"#) || netcat.hasEnded }
      netcat.input?.finishWriting()
      try test.run { netcat.hasEnded }
      #expect(netcat.output.contains(#"{"Hello":{"username":"ann","room":{"name":"friday"}"#))
      #expect(netcat.output.contains(#"{"List":{"friday":{"ann":"#))
      #expect(server.ending == nil)
    }
  }

  @Test(arguments: [
    #"{"Hello":{"username":"ann","password":"5f4dcc3b5aa765d61d8327deb882cf99""#,
    #"{"Hello":{"username":1,"password":"5f4dcc3b5aa765d61d8327deb882cf99"}}"#,
    #"{"5f4dcc3b5aa765d61d8327deb882cf99":1}"#,
    #"{"Error":{"message":"5f4dcc3b5aa765d61d8327deb882cf99"}}"#,
  ])
  func `the log says what is wrong with a line, and not what is in it`(line: String) throws {
    try TestLoop.run { test in
      let (server, _) = try Program.serve(Self.listening + ["--log-level", "trace"], on: test)
      let port = try #require(server.syncplayPort)
      let caller = try Caller(port: port, on: test)
      try caller.say(line + "\r")
      try test.run { server.errorOutput.contains("closing a connection") && caller.hasEnded }
      try test.run { server.errorOutput.contains("reason=") }
      #expect(!server.errorOutput.contains("5f4dcc3b"), "\(server.errorOutput)")
    }
  }

  @Test func `people with Syncplay and with matinee join see, hear and steer each other`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(Self.listening, on: test)
      var stage = TCPStage(port: try #require(server.syncplayPort), on: test)
      defer { stage.close() }
      let ann = try Program.join("Ann", port, on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      try SyncplayScript(
        #"""
        sid enters friday
        sid < {"Set":{"user":{"Ann":{"room":{"name":"friday"},"event":{"joined":true}}}}}
        sid > {"Set":{"file":{"name":"film.mkv","duration":600,"size":1}}}
        sid < {"Set":{"user":{"Ann":{"file":{"name":"film.mkv"}}}}}
        """#
      ).play(on: &stage)
      try test.run { ann.output.contains("paused at 0:00.0") }
      try SyncplayScript(#"sid > {"Chat":"popcorn?"}"#).play(on: &stage)
      try test.run { ann.output.contains("sid: popcorn?") }
      try ann.say("say with salt")
      try SyncplayScript(
        #"""
        sid < {"Chat":{"username":"Ann","message":"with salt"}}
        wait 1
        sid > {"State":{"playstate":{"position":0,"paused":false},"ignoringOnTheFly":{"client":1}}}
        sid < {"State":{"playstate":{"paused":false,"setBy":"sid"}}}
        """#
      ).play(on: &stage)
      try test.run {
        ann.output.contains("sid pressed play") && ann.output.contains("playing from")
      }
      try ann.say("pause")
      try SyncplayScript(#"sid < {"State":{"playstate":{"paused":true,"setBy":"Ann"}}}"#)
        .play(on: &stage)
      try ann.say("seek 5:00")
      try SyncplayScript(
        #"""
        sid < {"State":{"playstate":{"position":300,"paused":true,"doSeek":true,"setBy":"Ann"}}}
        wait 1
        sid > {"State":{"playstate":{"position":100,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
        """#
      ).play(on: &stage)
      try test.run { ann.output.contains("sid went to 1:40") }
      try ann.say("ready")
      try SyncplayScript(
        #"""
        sid < {"Set":{"ready":{"username":"Ann","isReady":true}}}
        sid > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true}}}
        """#
      ).play(on: &stage)
      try test.run { ann.output.contains("sid is ready") }
      // The list does not include the peer that the server itself makes.
      try ann.say("expect participants Ann sid")
      try ann.say("expect ready Ann sid")
      try ann.say("who")
      try test.run { ann.output.contains("as expected: ready Ann sid") }
      try test.run { ann.output.contains(", ready") }
      #expect(!ann.output.contains("joined; watching: Ann, Matinee"))
      try ann.say("quit")
      try SyncplayScript(#"sid < {"Set":{"user":{"Ann":{"event":{"left":true}}}}}"#)
        .play(on: &stage)
      #expect(server.ending == nil)
    }
  }

  @Test func `a film that somebody brings is on where the first friend came by Syncplay`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(Self.listening, on: test)
      var stage = TCPStage(port: try #require(server.syncplayPort), on: test)
      defer { stage.close() }
      try SyncplayScript("sid enters friday").play(on: &stage)
      let ann = try Program.join("Ann", port, ["film.mkv"], on: test)
      try test.run { ann.output.contains("on: “film.mkv”") }
      try SyncplayScript(#"sid < {"Set":{"user":{"Ann":{"file":{"name":"film.mkv"}}}}}"#)
        .play(on: &stage)
      #expect(server.ending == nil)
    }
  }

  @Test func `a stop hangs up without an Error, after which clients would stay away`() throws {
    try TestLoop.run { test in
      let (server, _) = try Program.serve(Self.listening, on: test)
      var stage = TCPStage(port: try #require(server.syncplayPort), on: test)
      defer { stage.close() }
      try SyncplayScript("sid enters friday").play(on: &stage)
      server.kill(.terminate)
      try SyncplayScript(
        """
        sid hears the end
        sid ! {"Error":"*"}
        """
      ).play(on: &stage)
      stage.close()
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
    }
  }

  @Test func `a server that was killed goes on where a room of Syncplay's was`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let options = Self.listening + ["--journal", folder.journal]
      let (first, _) = try Program.serve(options, on: test)
      var stage = TCPStage(port: try #require(first.syncplayPort), on: test)
      try SyncplayScript(
        #"""
        sid enters friday
        wait 1
        sid > {"State":{"playstate":{"position":300,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
        sid < {"State":{"playstate":{"position":300,"paused":true},"ignoringOnTheFly":{"client":1}}}
        """#
      ).play(on: &stage)
      first.kill(.kill)
      try SyncplayScript("sid hears the end").play(on: &stage)
      stage.close()
      try test.run { first.hasEnded }
      let (second, _) = try Program.serve(options, on: test)
      var next = TCPStage(port: try #require(second.syncplayPort), on: test)
      defer { next.close() }
      try SyncplayScript(
        #"""
        sid enters friday
        sid < {"State":{"playstate":{"position":300,"paused":true}}}
        """#
      ).play(on: &next)
    }
  }

  @Test func `rooms and names with control characters are kept like any others`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let options = Self.listening + ["--keep-rooms", "--journal", folder.journal]
      let place = #"{"State":{"playstate":{"position":300,"paused":true}}}"#
      for round in ["before", "after"] {
        let (server, port) = try Program.serve(options, on: test)
        var stage = TCPStage(port: try #require(server.syncplayPort), on: test)
        for (name, room) in [("ann", #"a\u0000b"#), ("ben", #"a\u0000c"#), (#"c\u0000"#, "a")] {
          let hello =
            #"{"Hello":{"username":"\#(name)","room":{"name":"\#(room)"},"version":"1.7.0"}}"#
          let peer = "peer\(name.prefix(1))"
          try SyncplayScript("\(peer) connects\n\(peer) > \(hello)\n\(peer) < {\"Hello\":{}}")
            .play(on: &stage)
        }
        let change =
          #"{"State":{"playstate":{"position":300,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}"#
        if round == "before" {
          try SyncplayScript("wait 1\npeera > \(change)\npeera < \(place)").play(on: &stage)
        } else {
          try SyncplayScript("peera < \(place)").play(on: &stage)
        }
        let ann = try Caller(port: port, on: test)
        try ann.enter(#"a\u0000b"#, as: "Ann")
        try test.run { ann.heard(#""code":"invalidField""#) }
        stage.close()
        server.kill(.interrupt)
        try test.run { server.hasEnded }
        #expect(!server.errorOutput.contains("cannot be written"), "\(round)")
      }
    }
  }

  // MARK: Limits

  @Test func `the bounds of peers and of silence hold for clients of Syncplay, too`() throws {
    try TestLoop.run { test in
      // The room's keeper is one of the three peers.
      let (server, _) = try Program.serve(
        Self.listening + ["--peers", "3", "--hello-deadline", "5"], on: test)
      let port = try #require(server.syncplayPort)
      var stage = TCPStage(port: port, on: test)
      defer { stage.close() }
      try SyncplayScript(
        #"""
        ann enters friday
        ben enters friday
        cleo connects
        cleo < {"Error":{"message":"*"}}
        cleo hears the end
        ben leaves
        ann < {"Set":{"user":{"ben":{"event":{"left":true}}}}}
        dora connects
        dora hears the end
        dora ! {"Error":"*"}
        """#
      ).play(on: &stage)
      try test.run { server.errorOutput.contains("silence, or the server stops") }
      #expect(server.ending == nil)
    }
  }

  @Test func `a line that no client of Syncplay's would send is the end, without a word`() throws {
    try TestLoop.run { test in
      let (server, _) = try Program.serve(Self.listening, on: test)
      let mallory = try Caller(port: try #require(server.syncplayPort), on: test)
      try mallory.say(String(repeating: "x", count: 20_000))
      try test.run { mallory.hasEnded }
      #expect(mallory.lines.isEmpty)
      // The log is written by a thread of its own.
      try test.run { server.errorOutput.contains("a line is longer than 16384 bytes") }
    }
  }
}
