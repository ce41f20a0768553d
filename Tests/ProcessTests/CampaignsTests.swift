import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// `matinee campaigns` as a person uses it.
@Suite struct CampaignsTests {
  private func directory(_ files: [String: String]) throws -> ScratchFolder {
    try ScratchFolder(files)
  }

  private static let sale = """
    # One of two is shown nothing.
    triggers: {event: Shop Opened}
    variants:
      - message:
          header: "Hello {{user.name | default: you}}"
          message: Everything must go
          buttons: [Later, {text: Buy, clickAction: {open: "https://example.org"}}]
      - message: {kind: control}
    """

  @Test func `sound files are counted`() throws {
    try TestLoop.run { test in
      let folder = try directory([
        "sale.yaml": Self.sale, "old.yaml": "state: paused\n" + Self.sale,
      ])
      let check = try Program.run(["campaigns", "check", folder.path], on: test)
      #expect(check.ending == .exited(code: 0))
      #expect(check.output == "\(folder.path): 2 campaigns in 2 files, 1 live; no mistakes\n")
      let shipped = try Program.run(["campaigns", "check", "shipped"], on: test)
      #expect(shipped.output == "shipped: 7 campaigns in 7 files, 7 live; no mistakes\n")
      let empty = try directory([:])
      let none = try Program.run(["campaigns", "check", empty.path], on: test)
      #expect(none.ending == .exited(code: 0))
      #expect(none.output.contains("no campaigns; their files end in .yaml"))
    }
  }

  // Proves: A14, F31
  @Test func `a view that no client has is warned of, unless the app is said to have it`() throws {
    try TestLoop.run { test in
      let folder = try directory([
        "quiz.yaml": "triggers: launch\nmessage: {message: A, extras: {view_type: quiz}}",
        "list.yaml": "triggers: launch\nmessage:\n  message: A,B\n"
          + "  extras: {view_type: pickr}",
      ])
      let check = try Program.run(["campaigns", "check", folder.path], on: test)
      #expect(check.ending == .exited(code: 0))
      #expect(check.output == "\(folder.path): 2 campaigns in 2 files, 2 live; 2 warnings\n")
      let lines = check.errorOutput.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("\(folder.path)/list.yaml:4:23: warning: "))
      #expect(lines[0].contains("did you mean `picker`?"))
      #expect(lines[1].contains("quiz.yaml") && lines[1].contains("--views"))
      let known = try Program.run(
        ["campaigns", "check", folder.path, "--views", "map, quiz,pickr"], on: test)
      #expect(known.output == "\(folder.path): 2 campaigns in 2 files, 2 live; no mistakes\n")
      #expect(known.errorOutput.isEmpty)
      let preview = try Program.run(
        ["campaigns", "preview", "shipped", "watch-player", "--event", "url=film"], on: test)
      #expect(preview.ending == .exited(code: 0), "a session brings its own video")
    }
  }

  @Test func `every mistake is told with its place, and how many there are`() throws {
    try TestLoop.run { test in
      let folder = try directory([
        "a.yaml": "triggers: launch\nmesage: {message: Hello}\ndelay: soon", "b.yaml": Self.sale,
        "c.yaml": "id: [",
      ])
      for command in [
        ["check", folder.path], ["list", folder.path], ["preview", folder.path, "b"],
      ] {
        let program = try Program.run(["campaigns"] + command, on: test)
        #expect(program.ending == .exited(code: 65))
        #expect(program.output.isEmpty)
        let lines = program.errorOutput.split(separator: "\n")
        #expect(lines.count == 5, "\(program.errorOutput)")
        #expect(
          lines[0].hasPrefix("\(folder.path)/a.yaml:1:1: nothing is said; add `message:`"))
        #expect(
          lines[1].hasPrefix("\(folder.path)/a.yaml:2:1: `mesage` means nothing here; did you mean")
        )
        #expect(lines[2].hasPrefix("\(folder.path)/a.yaml:3:8: `soon` is not a delay; write"))
        #expect(lines[3].hasPrefix("\(folder.path)/c.yaml:2:1: this is not valid YAML"))
        #expect(
          lines[4]
            == "matinee: 4 mistakes in 2 files; a running server would keep its current campaigns")
      }
    }
  }

  @Test func `a list has a line for each campaign, in the order in which they go`() throws {
    try TestLoop.run { test in
      let folder = try directory([
        "a.yaml": "priority: low\nreEligibility: 90m\n" + Self.sale, "b.yaml": Self.sale,
        "c.yaml":
          "priority: high\nrank: 2\ntriggers: [launch, sessionStart]\nmessage: {message: x}",
      ])
      let list = try Program.run(["campaigns", "list", folder.path], on: test)
      #expect(list.ending == .exited(code: 0))
      let rows = list.lines.map { $0.split(separator: "  ").map { $0.drop { $0 == " " } } }
      #expect(rows[0].first == "ID")
      #expect(rows.dropFirst().map { $0[0] } == ["c", "b", "a"])
      #expect(
        rows[1].dropLast() == ["c", "live", "high 2", "launch, sessionStart", "never", "modal"])
      #expect(
        rows[3].dropFirst(2).prefix(4) == ["low", "“Shop Opened”", "after 90m", "modal, control"])
      #expect(rows[1].last == "\(folder.path)/c.yaml:1")
    }
  }

  @Test func `a campaign whose time is over or has yet to come is told apart from a live one`()
    throws
  {
    try TestLoop.run { test in
      let folder = try directory([
        "a.yaml": "end: 2020-01-01T00:00:00Z\n" + Self.sale,
        "b.yaml": "start: 2200-01-01T00:00:00Z\n" + Self.sale, "c.yaml": Self.sale,
        "d.yaml": "state: paused\nend: 2020-01-01T00:00:00Z\n" + Self.sale,
      ])
      let list = try Program.run(["campaigns", "list", folder.path], on: test)
      let states = list.lines.dropFirst().map { $0.split(separator: " ").prefix(2) }
      #expect(
        Set(states) == [["a", "ended"], ["b", "scheduled"], ["c", "live"], ["d", "paused"]])
      let check = try Program.run(["campaigns", "check", folder.path], on: test)
      #expect(check.ending == .exited(code: 0))
      #expect(check.output == "\(folder.path): 4 campaigns in 4 files, 1 live; 1 warning\n")
      #expect(
        check.errorOutput
          == "\(folder.path)/a.yaml:1:1: warning: `a` is live and its `end` is past, "
          + "so nobody gets it; set a later `end`, or write `state: stopped`\n")
    }
  }

  @Test func `a preview draws every variant, and says what a click does`() throws {
    try TestLoop.run { test in
      let folder = try directory(["sale.yaml": Self.sale])
      let preview = try Program.run(
        ["campaigns", "preview", folder.path, "sale", "--user", "name=Ann", "--width", "40"],
        on: test)
      #expect(preview.ending == .exited(code: 0))
      #expect(
        preview.output == """
          sale, variant 1, 1 of 2: modal
          ╭──────────────────────────────────[✕]─╮
          │                                      │
          │              Hello Ann               │
          │                                      │
          │          Everything must go          │
          │                                      │
          │          [ Later ]  [ Buy ]          │
          │                                      │
          ╰──────────────────────────────────────╯
            “Later” (0): closes it
            “Buy” (1): opens https://example.org
            closed by its close button
          sale, variant 2, 1 of 2: control
            shown to nobody, but counted: the control group for the other variants

          """, "\(preview.output)")
      let control = try Program.run(
        ["campaigns", "preview", folder.path, "sale", "--variant", "2"], on: test)
      #expect(control.lines.count == 2)
    }
  }

  /// Command lines with a mistake each, the exit code, and the message.
  static let mistakes: [(arguments: [String], code: Int64, words: String)] = [
    (["campaigns", "check"], 64, "Missing expected argument '<directory>'"),
    (["campaigns", "check", ""], 64, "name a directory of campaign files, or write shipped"),
    (["campaigns", "check", "nowhere"], 66, "nowhere cannot be read: there is no such directory"),
    (["campaigns", "check", "/dev/null"], 66, "/dev/null cannot be read: it is no directory"),
    (["campaigns", "chek", "shipped"], 64, "campaigns --help"),
    (["campaigns", "list", "nowhere"], 66, "there is no such directory; name a directory"),
    (["campaigns", "list", "shipped", "more"], 64, "Unexpected argument 'more'"),
    (["campaigns", "preview", "shipped"], 64, "Missing expected argument '<campaign>'"),
    (
      ["campaigns", "preview", "shipped", "watch-plyer"], 66,
      "shipped has no campaign `watch-plyer`; did you mean `watch-player`?"
    ),
    (["campaigns", "preview", "shipped", "banner", "--variant", "b"], 66, "no variant `b`"),
    (
      ["campaigns", "preview", "shipped", "watch-player"], 1,
      "extras.video_url uses a variable without a value; set it with --event or --user"
    ),
    (["campaigns", "preview", "shipped", "banner", "--event", "title"], 64, "<key=value>"),
    (["campaigns", "preview", "shipped", "banner", "--width", "5"], 64, "from 20 to 200, not 5"),
    (["campaigns", "results", "--journal", "memory"], 64, "--journal takes sqlite:PATH or"),
    (["campaigns", "results", "--journal", "sqlite:none.sqlite"], 66, "there is no such file"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with what would be right`(
    arguments: [String], code: Int64, words: String
  ) throws {
    try TestLoop.run { test in
      let program = try Program.run(arguments, on: test)
      #expect(program.ending == .exited(code: code))
      #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
      #expect(program.output.isEmpty)
    }
  }
}
