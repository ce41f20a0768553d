import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The manual pages of the Debian package, made from the built program's own descriptions.
@Suite struct ManualPageTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "scripts/debian/man-pages").path()

  /// Writes all pages into a folder.
  private static func write(to folder: ScratchFolder, on test: TestLoop) throws {
    let pipe = #""$0" --experimental-dump-help | "$1" 1.2.3 "$2""#
    let run = try Program.run(
      ["-c", "set -o pipefail; " + pipe, try Program.path, script, folder.path], of: "/bin/bash",
      on: test)
    #expect(run.ending == .exited(code: 0), "\(run.errorOutput)")
  }

  private static func page(
    _ name: String, in folder: ScratchFolder, on test: TestLoop
  ) throws -> String {
    try Program.run(["-dc", folder.path(of: name + ".1.gz")], of: "gzip", on: test).output
  }

  @Test func `every command whose help is tested has a page, which leads to the one above`() throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      try Self.write(to: folder, on: test)
      for command in HelpTests.commands.map({ $0.dropLast() }) {
        let name = (["matinee"] + command).joined(separator: "-")
        let page = try Self.page(name, in: folder, on: test)
        let title = name.replacing("-", with: #"\-"#)
        #expect(page.contains(".SH NAME\n\(title) \\- "), "\(name)")
        let above = title.components(separatedBy: #"\-"#).dropLast().joined(separator: #"\-"#)
        #expect(command.isEmpty || page.hasSuffix(".SH SEE ALSO\n\\fB\(above)\\fR(1)\n"), "\(name)")
      }
    }
  }

  @Test func `a page has the options with values, defaults and sections of the help`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      try Self.write(to: folder, on: test)
      let page = try Self.page("matinee-serve", in: folder, on: test)
      #expect(page.hasPrefix(#".TH "MATINEE\-SERVE" 1 ""#) && page.contains(#""Matinee 1.2.3""#))
      #expect(page.contains("\n\\fB\\-\\-listen\\fR \\fIhost:port\\fR\nAddress to listen on"))
      #expect(page.contains("Default: 127.0.0.1:7878.\n"))
      #expect(page.contains("One of: trace, debug, info, notice, warning, error, critical."))
      #expect(page.contains(".SH \"ENCRYPTION\"\n") && page.contains(".SH \"LIMITS\"\n"))
    }
  }
}
