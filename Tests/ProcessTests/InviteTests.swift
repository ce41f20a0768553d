import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import MatineeTerminal
import ProgramTesting
import Testing

@testable import matinee

/// `matinee invite` as a person uses it.
@Suite struct InviteTests {
  @Test func `any member may pass the link on, and nobody sees the command come and go`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let ben = try evening.join("Ben", [try evening.link(of: "Ann")])
      try test.run { ann.output.contains("in group friday: Ann, Ben") }
      #expect(try evening.link(of: "Ben") == evening.link(of: "Ann"))
      #expect(ann.output.components(separatedBy: "in group friday").count == 3)
      #expect(ben.ending == nil)
    }
  }

  @Test func `the owner of the server prints the link that opens groups`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let file = evening.accessKeyFile
      try evening.stop()
      let invite = try evening.run(
        ["invite", "--access-key-file", file, "--server", evening.address], on: "owner")
      #expect(invite.ending == .exited(code: 0), "\(invite.errorOutput)")
      #expect(invite.output == evening.foundingLink + "\n")
      #expect(invite.errorOutput.contains("works on this machine only"))
      let elsewhere = evening.folder.path(of: "none")
      let none = try evening.run(["invite", "--access-key-file", elsewhere], on: "owner")
      #expect(none.ending == .exited(code: 66) && none.output.isEmpty)
      #expect(none.errorOutput.contains("there is no such file"))
      #expect(try Program.run(["-e", elsewhere], of: "test", on: test).ending == .exited(code: 1))
    }
  }

  @Test func `a terminal that is wide enough shows a QR code`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let file = evening.accessKeyFile
      let invite = "'\(try Program.path)' invite --access-key-file '\(file)'"
      for (columns, isDrawn) in [(100, true), (20, false)] {
        let terminal = try Program.run(
          ["-qec", "stty cols \(columns); \(invite)", "/dev/null"], of: "script", on: test)
        #expect(terminal.ending == .exited(code: 0), "\(terminal.output)")
        #expect(terminal.output.contains("matinee://127.0.0.1:7878/#"))
        #expect(terminal.output.contains("▀") == isDrawn)
      }
    }
  }

  @Test func `with the page's address it prints a link for phones, too, and draws that one`() throws
  {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      _ = try evening.found(as: "Ann")
      let link = try evening.link(of: "Ann")
      let key = try #require(link.split(separator: "#").last)
      let page = "https://watch.example/friday#\(key)"
      let invite = ["invite", "friday", "--server", evening.address, "--as", "Ann"]
      let asked = try evening.run(invite + ["--page", "https://watch.example/"], on: "Ann")
      #expect(asked.ending == .exited(code: 0), "\(asked.errorOutput)")
      #expect(asked.output == "\(link)\n\(page)\n")
      #expect(asked.errorOutput.contains("--server gives it") == true)
      #expect(asked.errorOutput.contains("--page gives it") == false)
      let file = evening.accessKeyFile
      let near = try evening.run(
        ["invite", "--access-key-file", file, "--page", "http://127.0.0.1:8080"], on: "owner")
      let founding = try #require(evening.foundingLink.split(separator: "#").last)
      #expect(near.output.hasSuffix("\nhttp://127.0.0.1:8080/#\(founding)\n"))
      #expect(near.errorOutput.contains("--page gives it") == true)
      let command = "'\(try Program.path)' invite --access-key-file '\(file)'"
      let terminal = try Program.run(
        ["-qec", "stty cols 100; \(command) --page https://watch.example", "/dev/null"],
        of: "script", on: test)
      let shown = terminal.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        .split(whereSeparator: \.isNewline).filter { $0.contains("█") }
      let drawing = try #require(QRDrawing(link: "https://watch.example/#\(founding)"))
      let drawings = [false, true].map { drawing.text(TextStyling(hasColor: $0)) }
      #expect(
        drawings.contains { lines in
          lines.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }.filter { $0.contains("█") }
            .elementsEqual(shown) { $0 == $1 }
        }, "\(terminal.output)")
    }
  }

  @Test func `who is not known and who is not in the group gets no link`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      _ = try evening.found(as: "Ann")
      let at = ["--server", evening.address]
      let eve = try evening.run(["invite", "friday", "--as", "Eve"] + at, on: "Eve")
      #expect(eve.ending == .exited(code: 66))
      #expect(eve.errorOutput.contains("join with a link first"))
      let other = try evening.run(["invite", "saturday", "--as", "Ann"] + at, on: "Ann")
      #expect(other.ending == .exited(code: 1))
      #expect(other.errorOutput.contains("its key"))
      try evening.stop()
      let away = try evening.run(
        ["invite", "friday", "--as", "Ann", "--timeout", "1"] + at, on: "Ann")
      #expect(away.ending == .exited(code: 69))
    }
  }

  @Test(arguments: [
    ([], "name a group"), (["friday"], "--as"), (["friday", "--access-key-file", "x"], "leave"),
    (["--access-key-file", "x", "--as", "Ann"], "leave --as out"),
    (["friday", "--as", "Ann", "--own-certificate-file", "x"], "needs --access-key-file"),
    (["--access-key-file", "x", "--own-certificate-file", "x", "--plaintext"], "leave out"),
    (["friday", "--as", "Ann", "--server", "x:y"], "such as 127.0.0.1:7878"),
    (["friday", "--as", "Ann", "--page", "watch.example"], "such as https://film.example"),
    (["friday", "--as", "Ann", "--page", "http://watch.example"], "with https"),
    (
      ["friday", "--as", "Ann", "--plaintext", "--page", "http://watch.example"], "with https"
    ),
  ])
  func `a mistake is told with what would be right`(arguments: [String], words: String) throws {
    try TestLoop.run { test in
      let invite = try Program.run(["invite"] + arguments, on: test)
      #expect(invite.ending == .exited(code: 64))
      #expect(invite.errorOutput.contains(words), "\(invite.errorOutput)")
    }
  }
}
