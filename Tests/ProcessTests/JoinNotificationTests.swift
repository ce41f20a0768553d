import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// Notifications at terminals: people who are invited to a session.
@Suite struct JoinNotificationTests {
  // Proves: K1, K10, K22
  @Test func `who wants to be asked sees the invitation, and joins by it`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, ["--ask"], on: test)
      // Ann is told of a joining only once she has joined herself.
      try test.run {
        ben.output.contains("[ 1 Join ]") && ann.output.contains("joined; watching")
      }
      #expect(ben.output.contains("Ann invites you to watch together"))
      #expect(!ben.output.contains("joined; watching"))
      try ben.say("1")
      try test.run { ben.output.contains("joined; watching") && ann.output.contains("Ben joined") }
      #expect(ben.output.contains("you accepted “film.mp4”"))
      #expect(server.ending == nil)
    }
  }

  @Test func `who looks at the invitation first is told how to join`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, ["--ask"], on: test)
      try test.run {
        ben.output.contains("[ 1 Join ]") && ann.output.contains("joined; watching")
          && ben.output.contains("Ann started “film.mp4”; `join` joins")
      }
      try ben.say("")
      try test.run { ben.output.contains("you opened “film.mp4”; `join` joins") }
      try ben.say("")
      try test.run { ben.output.contains("Ann watches “film.mp4”; `join` joins") }
      try ben.say("join")
      try test.run { ben.output.contains("joined; watching") && ann.output.contains("Ben joined") }
      #expect(server.ending == nil)
    }
  }

  // Proves: K13, K24
  @Test func `a text, a dismissal and a second look leave it open, and DECLINE ends it`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, ["--ask"], on: test)
      try test.run { ben.output.contains("[ 3 Reply ]") }
      try ben.say("3")
      try test.run { ben.output.contains("write your text") }
      try ben.say("Be right there")
      try test.run { ben.output.contains("you wrote back to “film.mp4”") }
      try ben.say("notifications")
      try test.run { ben.output.contains("1. film.mp4") }
      try ben.say("notification 1")
      try test.run { ben.output.ranges(of: "[ 2 Decline ]").count == 2 }
      try ben.say("esc")
      try test.run { ben.output.contains("you dismissed “film.mp4”") }
      try ben.say("notifications")
      try test.run { ben.output.ranges(of: "1. film.mp4").count == 2 }
      try ben.say("notification 1")
      try test.run { ben.output.ranges(of: "[ 2 Decline ]").count == 3 }
      try ben.say("2")
      try ben.say("notifications")
      try test.run { ben.output.contains("no notification stands") }
      #expect(!ben.output.contains("joined; watching"))
      #expect(!ann.output.contains("Ben joined") && server.ending == nil)
    }
  }

  @Test func `who wants to be asked joins what they start themselves`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4", "--ask"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      try test.run { ann.output.contains("joined; watching") && ben.output.contains("Ann") }
      #expect(server.ending == nil)
    }
  }

  @Test func `who joins what others start is not asked`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      try test.run { ben.output.contains("joined; watching") && ann.output.contains("Ben") }
      try ben.say("notifications")
      try test.run { ben.output.contains("no notification stands") }
      #expect(!ben.output.contains("invites you") && server.ending == nil)
    }
  }

  @Test func `who joins what their own group starts is asked about another group's session`()
    throws
  {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Program.join("Ann", port, ["film.mp4"], on: test)
      let ben = try Program.join("Ben", port, on: test)
      let cem = try Program(
        [
          "join", "--server", "127.0.0.1:\(port)", "--group", "saturday", "--as", "Cem",
          "--player", "simulated",
        ], on: test, takesInput: true)
      try test.run {
        ann.output.contains("joined; watching") && ben.output.contains("joined; watching")
          && cem.output.contains("waiting for somebody else")
      }
      try ann.say("invite Cem")
      try test.run { cem.output.contains("Ann invites you to watch together") }
      try cem.say("accept invitation")
      try test.run { cem.output.contains("you accepted “film.mp4”") }
      #expect(server.ending == nil)
    }
  }
}
