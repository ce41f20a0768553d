import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// A person whose device has lost its files.
@Suite struct WipedClientTests {
  @Test func `a wiped device is refused under its name, and comes in again by pairing`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let laptop = try evening.join("Ben", [try evening.link(of: "Ann")], on: "laptop")
      try test.run { ann.output.contains("in group friday: Ann, Ben") }
      // His phone is let in by the laptop, and loses everything.
      let phoneFiles = evening.folder.path(of: "phone")
      try pair("phone", with: laptop, evening, on: test)
      #expect(try evening.credentials(of: "phone").count == 1)
      try FileManager.default.removeItem(atPath: phoneFiles)
      try checkRefusals(evening, on: test)
      #expect(ann.ending == nil && laptop.ending == nil)
      try pair("phone", with: laptop, evening, on: test)
      let phone = try evening.joinAgain("Ben", on: "phone")
      try test.run { phone.output.contains("in group friday: Ann, Ben") }
      #expect(laptop.ending == nil)
      try evening.stop()
    }
  }

  /// Comes under the name with nothing, with a credential of one's own, and with the group's link.
  private func checkRefusals(_ evening: KeyedServer, on test: TestLoop) throws {
    let hello = #"{"type":"hello","user":"Ben""#
    for (proof, code) in [
      ("}", "credentialRequired"),
      (#","credential":"0000000000000000000000000b"}"#, "credentialRefused"),
    ] {
      let caller = try Caller(port: evening.port, on: test)
      try caller.say(hello + proof)
      try test.run { caller.hasEnded }
      #expect(caller.heard(#""code":"\#(code)""#), "\(caller.lines)")
      #expect(!caller.heard("welcome"))
    }
    let back = try evening.join("Ben", [try evening.link(of: "Ann")], on: "phone")
    try test.run { back.hasEnded }
    #expect(back.ending == .exited(code: 1))
    #expect(back.output.contains("the name is somebody else's here"), "\(back.output)")
  }

  /// Has a machine let in by a person who is joined.
  private func pair(
    _ machine: String, with host: Program, _ evening: KeyedServer, on test: TestLoop
  ) throws {
    let known = host.output.count
    try host.say("pair")
    try test.run { shownCode(by: host, after: known) != nil }
    let code = try #require(shownCode(by: host, after: known))
    let guest = try evening.start(
      ["pair", code, "--as", "Ben", "--device", machine, "--server", evening.address], on: machine)
    try test.run {
      host.output.dropFirst(known).contains("type pair yes or pair no") || guest.hasEnded
    }
    try host.say("pair yes")
    try test.run { guest.hasEnded }
    #expect(guest.ending == .exited(code: 0), "\(guest.errorOutput)")
  }

  /// The code that a program has shown since its output had this many characters.
  private func shownCode(by host: Program, after known: Int) -> String? {
    (host.output.dropFirst(known).firstMatch(of: /the code is ([0-9a-z]{8})/)?.1).map(String.init)
  }
}
