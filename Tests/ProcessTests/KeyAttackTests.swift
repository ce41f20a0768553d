import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// A server with access by keys, attacked from outside.
@Suite struct KeyAttackTests {
  private static let (ann, eve) = ("0000000000000000000000000a", "0000000000000000000000000e")

  private func hello(_ user: String, _ credential: String?, _ more: String = "") -> String {
    let proof = credential.map { #","credential":"\#($0)""# } ?? ""
    return #"{"type":"hello","user":"\#(user)"\#(proof)\#(more)}"#
  }

  /// A server with keys, and its founding key.
  private func serve(
    _ arguments: [String] = ["--journal", "memory"], on test: TestLoop
  ) throws -> (server: Program, port: UInt16, founding: String) {
    let (server, port) = try Program.serve(["--access", "keys"] + arguments, on: test)
    let key = try #require(server.foundingLink(on: test).split(separator: "#").last)
    return (server, port, String(key.prefix { $0.isLetter || $0.isNumber }))
  }

  /// Ann, who has founded the group friday, and its key.
  private func founder(
    _ port: UInt16, _ founding: String, on test: TestLoop
  ) throws -> (caller: Caller, key: String) {
    let ann = try Caller(port: port, on: test)
    try ann.say(
      hello("ann", Self.ann),
      #"{"type":"joinGroup","id":1,"group":"friday","key":"\#(founding)"}"#)
    try test.run { ann.heard(#""type":"ok","id":1"#) }
    return (ann, try #require(ann.value(of: "key", in: "groupKey")))
  }

  @Test func `nobody is Ann but who shows her credential, and guessing keeps her from nothing`()
    throws
  {
    try TestLoop.run { test in
      let (server, port, founding) = try serve(on: test)
      let (ann, key) = try founder(port, founding, on: test)
      let token = try #require(ann.value(of: "token", in: "welcome"))
      let device = try #require(ann.value(of: "device", in: "welcome"))
      let resume = #","device":"\#(device)","resume":{"token":"\#(token)"}"#
      let attempts: [(String?, String, String)] = [
        (nil, "", "credentialRequired"), ("short", "", "credentialRefused"),
        (Self.eve, "", "credentialRefused"), (Self.eve, resume, "credentialRefused"),
        (Self.eve, #","code":"00000000""#, "pairingRefused"),
        // The fifth guess, and those after it.
        ("11111111111111111111111111", "", "credentialRefused"), (Self.eve, "", "tooManyGuesses"),
        (Self.eve, #","code":"00000001""#, "tooManyGuesses"),
      ]
      for (credential, more, code) in attempts {
        let caller = try Caller(port: port, on: test)
        try caller.say(hello("ann", credential, more))
        try test.run { caller.hasEnded }
        #expect(caller.heard(code), "\(code): \(caller.lines)")
        #expect(!caller.heard("welcome"))
      }
      // Her second device has the same credential and the same address as the guesser.
      let phone = try Caller(port: port, on: test)
      try phone.say(
        hello("ann", Self.ann, #","device":"phone""#),
        #"{"type":"joinGroup","id":1,"group":"friday"}"#)
      try test.run { phone.heard(#""type":"ok","id":1"#) }
      #expect(!ann.hasEnded)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      for secret in [key, founding, Self.ann, Self.eve, token] {
        #expect(!server.errorOutput.contains(secret), "no secret stands in the log")
      }
    }
  }

  @Test func `a stranger does nothing in somebody else's group, and learns nothing of it`() throws {
    try TestLoop.run { test in
      let (server, port, founding) = try serve(on: test)
      let (ann, _) = try founder(port, founding, on: test)
      let eve = try Caller(port: port, on: test)
      try eve.say(
        hello("eve", Self.eve),
        #"{"type":"joinGroup","id":1,"group":"mine","key":"\#(founding)"}"#,
        #"{"type":"leaveGroup","id":2}"#)
      try test.run { eve.heard(#""type":"ok","id":2"#) }
      let requests = [
        #""joinGroup","group":"friday""#, #""joinGroup","group":"friday","key":"\#(founding)""#,
        #""closeGroup","group":"friday""#, #""changeKey","group":"friday""#,
        #""removeUser","user":"ann","group":"friday""#, #""freeName","user":"ann""#,
        #""pair","user":"ann""#, #""explainMessages","user":"ann""#, #""status""#,
        #""status","after":"a""#, #""subscribe","topic":"group/friday""#,
        #""publish","topic":"group/friday","custom":{}"#,
        #""closeGroup""#, #""changeKey""#, #""removeUser","user":"ann""#,
        #""confirmPairing","confirmed":true"#, #""activate","activity":{"type":"watch"}"#,
      ]
      for (number, request) in requests.enumerated() {
        try eve.say(#"{"type":\#(request),"id":\#(number + 10)}"#)
      }
      for (number, request) in requests.enumerated() {
        try test.run { eve.heard(#","id":\#(number + 10),"#) }
        #expect(eve.line(#","id":\#(number + 10),"#)?.contains("error") == true, "\(request)")
      }
      // With the quotation mark, because a random key may have these letters.
      #expect(!eve.lines.contains { $0.contains(#""ann"#) || $0.contains(#""group":"friday""#) })
      #expect(!ann.hasEnded && !ann.heard("memberLeft") && !ann.heard("keyChanged"))
      server.kill(.terminate)
      try test.run { server.hasEnded }
    }
  }

  @Test func `a journal from before holds its names, and goes on with those who resume`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let journal = ["--journal", folder.journal]
      let (before, oldPort) = try Program.serve(journal, on: test)
      let ann = try Caller(port: oldPort, on: test)
      try ann.enter("friday", as: "ann")
      try ann.say(#"{"type":"registerForNotifications","id":2}"#)
      try test.run { ann.heard(#""type":"ok","id":1"#) && ann.heard(#""type":"ok","id":2"#) }
      let token = try #require(ann.value(of: "token", in: "welcome"))
      // Killed, so that she may resume.
      before.kill(.kill)
      try test.run { before.hasEnded }
      let (server, port, _) = try serve(journal, on: test)
      let eve = try Caller(port: port, on: test)
      try eve.say(hello("ann", Self.eve))
      try test.run { eve.hasEnded }
      #expect(eve.heard(#""code":"held""#))
      let back = try Caller(port: port, on: test)
      try back.say(
        hello("ann", Self.ann, #","device":"ann-1","resume":{"token":"\#(token)"}"#))
      try test.run { back.heard(#""resumed":true"#) }
      #expect(back.heard(#""group":"friday""#))
      // What is stored later is stored after her claim.
      try back.say(#"{"type":"setSharing","id":9,"sharing":false}"#)
      try test.run { back.heard(#""type":"ok","id":9"#) }
      let late = try Caller(port: port, on: test)
      try late.say(hello("ann", Self.eve))
      try test.run { late.hasEnded }
      #expect(late.heard("credentialRefused"), "the name is hers now")
      server.kill(.terminate)
      try test.run { server.hasEnded }
      let secret = try FileManager.default.attributesOfItem(
        atPath: folder.path(of: "journal.sqlite.access-key"))
      #expect(secret[.posixPermissions] as? Int == 0o600)
    }
  }
}
