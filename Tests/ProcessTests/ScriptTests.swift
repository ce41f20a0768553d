import EventLoops
import FolderTesting
import Foundation
import Fuzzing
import LoopTesting
import ProgramTesting
import Testing

/// The scripts, without building or installing anything.
@Suite struct ScriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts").path()

  private static let names = [
    "bench", "build", "demo", "docs", "format", "fuzz", "lint", "package", "setup", "simulate",
    "test",
  ]

  @Test func `there are no others`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(files.filter { !["debian", "demos"].contains($0) }.sorted() == Self.names)
  }

  @Test(arguments: names)
  func `each says what it does`(name: String) throws {
    try TestLoop.run { test in
      let help = try Program.run(["--help"], of: "\(Self.folder)/\(name)", on: test)
      #expect(help.ending == .exited(code: 0))
      #expect(help.output.hasPrefix("scripts/\(name)"))
    }
  }

  @Test(arguments: [
    (["demo", "--virtul"], "--virtul", 64), (["demo", "--seed"], "--seed", 64),
    (["demo", "--seed", "x"], "--seed", 64), (["demo", "together", "queue"], "one scenario", 64),
    (["demo", "--all", "queue"], "not both", 64), (["demo", "--list", "--all"], "--list", 64),
    (["demo", "--plot"], "--plot", 64), (["demo", "--plot", "x", "--all"], "--plot", 64),
    (["demo", "--recording", "x", "queue"], "--recording", 64),
    (["demo", "--recording", "x", "--tls"], "--recording", 64),
    (["demo", "--windows", "--recording=x"], "--recording", 64),
    (["demo", "--recording", "x", "--seed=3"], "--recording", 64),
    (["demo", "browser", "--windows"], "--windows", 64),
    (["demo", "browser", "--output"], "--output", 64),
    (["demo", "--windows", "--virtual"], "--windows", 64), (["demo", "no-such"], "no-such", 66),
    (["bench", "--fast"], "--fast", 64), (["bench", "--only"], "--only", 64),
    (["bench", "--only", "nothing"], "codec", 64), (["bench", "codec"], "codec", 64),
    (["bench", "--rounds", "x"], "--rounds", 64), (["bench", "--crowd"], "--crowd", 64),
    (["fuzz", "nothing"], "client-messages", 64), (["fuzz", "--fast"], "--fast", 64),
    (["fuzz", "--seconds"], "--seconds", 64), (["fuzz", "--seconds=x"], "--seconds", 64),
    (["fuzz", "json", "--input", "/no-such"], "/no-such", 64),
    (["fuzz", "--input", "/bin/sh"], "one target", 64),
    (["simulate", "--fast"], "--fast", 64), (["simulate", "--steps"], "--steps", 64),
    (["simulate", "--seed", "x"], "--seed", 64), (["simulate", "--steps=0"], "--steps", 64),
    (["docs", "--fast"], "--fast", 64), (["docs", "here", "there"], "one DIR", 64),
    (["docs", "/usr/bin"], "/usr/bin", 73),
  ])
  func `a mistake in what a program is to do is told before it is built`(
    mistake: (arguments: [String], hint: String, code: Int64)
  ) throws {
    try TestLoop.run { test in
      let name = mistake.arguments[0]
      let script = try Program.run(
        Array(mistake.arguments.dropFirst()), of: "\(Self.folder)/\(name)", on: test)
      #expect(script.ending == .exited(code: mistake.code))
      #expect(script.errorOutput.contains(mistake.hint))
      #expect(script.errorOutput.contains("see scripts/\(name) --"))
      #expect(script.output.isEmpty && !script.errorOutput.contains("Building"))
    }
  }

  @Test func `the benchmarks' script tells all parts that it takes`() throws {
    try TestLoop.run { test in
      let script = "\(Self.folder)/bench"
      let help = try Program.run(["--help"], of: script, on: test).output
      let mistake = try Program.run(["--only=x"], of: script, on: test).errorOutput
      let source = Self.folder + "/../Sources/Bench/Part.swift"
      let cases = try String(contentsOfFile: source, encoding: .utf8)
        .matches(of: /\n  case ([a-zA-Z]+)(?: = "([a-z-]+)")?/)
      #expect(cases.count == 16)
      for part in cases {
        let name = String(part.2 ?? part.1)
        #expect(help.contains(name), "\(name)")
        #expect(mistake.contains(name), "\(name)")
      }
    }
  }

  @Test func `the script for fuzzing tells all targets`() throws {
    try TestLoop.run { test in
      let help = try Program.run(["--help"], of: "\(Self.folder)/fuzz", on: test).output
      let names = help.firstMatch(of: /all by default:\n {2}([a-z -]+)\n/)?.1.split(separator: " ")
      #expect(names?.map(String.init) == FuzzTargets.all.map { $0.name })
    }
  }

  @Test(arguments: [
    ("demo", "matinee", ["demo"]), ("bench", "matinee-bench", []),
    ("simulate", "matinee-simulate", []),
  ])
  func `a script knows every option of its program`(
    script name: String, program: String, command: [String]
  ) throws {
    try TestLoop.run { test in
      let help = try Program.run(
        command + ["--help"], of: try Program.path(of: program), on: test
      ).output
      #expect(help.contains("USAGE: \(program)"))
      let script = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
      let options = help.matches(of: /--[a-z]+/).map { String($0.output) }
      for option in Set(options) where option != "--version" {
        #expect(script.contains(option), "\(option)")
      }
    }
  }

  /// A fake compiler replaces Swift, because a real first build takes as long as all other tests
  /// together.
  @Test(arguments: [
    ("demo", "--list", "matinee demo --list"), ("bench", "--quick", "matinee-bench --quick"),
    ("simulate", "--seed=2", "matinee-simulate --seed 2"),
  ])
  func `a fresh clone builds, and goes on to what was built`(
    script: (name: String, option: String, runs: String)
  ) throws {
    try TestLoop.run { test in
      let (clone, environment) = try Self.clone(on: test)
      for build in ["the first one", "another one"] {
        let run = try Program.run(
          [script.option], of: clone.path(of: "scripts/\(script.name)"), environment: environment,
          on: test)
        #expect(run.ending == .exited(code: 0), "\(build): \(run.errorOutput)")
        #expect(run.output == "\(script.runs)\n", "\(build)")
        #expect(run.errorOutput.contains("Building for production..."), "\(build)")
      }
    }
  }

  /// The fake program finds something in one of the targets.
  @Test func `what fuzzing finds is told with the command that repeats it`() throws {
    try TestLoop.run { test in
      let (clone, environment) = try Self.clone(on: test)
      let fuzz = clone.path(of: "scripts/fuzz")
      let good = try Program.run(["json"], of: fuzz, environment: environment, on: test)
      #expect(good.ending == .exited(code: 0), "\(good.errorOutput)")
      #expect(good.output.hasSuffix("fuzz: json: 7 inputs\n"))
      let bad = try Program.run(["json", "tls"], of: fuzz, environment: environment, on: test)
      #expect(bad.ending == .exited(code: 1))
      #expect(bad.output.hasSuffix("fuzz: json: 7 inputs\n"))
      #expect(bad.errorOutput.contains("Fatal error: BROKEN: a stranger has shaken hands"))
      let path = ".build/fuzz/found/tls-crash-1"
      #expect(bad.errorOutput.contains("scripts/fuzz tls --input \(path)\n"))
      let again = try Program.run(
        ["tls", "--input", fuzz], of: fuzz, environment: environment, on: test)
      #expect(again.output.hasSuffix("matinee-fuzz tls -timeout=10 \(fuzz)\n"))
    }
  }

  @Test func `a test that hangs is ended, and named`() throws {
    try TestLoop.run { test in
      var (clone, environment) = try Self.clone(on: test)
      environment["TEST_MINUTES"] = "0.1"
      let run = try Program.run(
        [], of: clone.path(of: "scripts/test"), environment: environment, on: test)
      #expect(run.ending == .exited(code: 1), "\(run.errorOutput)")
      #expect(run.output.hasSuffix("Unfinished after 0.1 minutes:\nTest \"slow\"\n"))
    }
  }

  @Test func `a filter that chooses no test is a mistake`() throws {
    try TestLoop.run { test in
      let (clone, environment) = try Self.clone(on: test)
      let run = try Program.run(
        ["EdgeCaseTset"], of: clone.path(of: "scripts/test"), environment: environment, on: test)
      #expect(run.ending == .exited(code: 66), "\(run.errorOutput)")
      #expect(run.errorOutput.contains("test: no test matches EdgeCaseTset; see scripts/test --"))
    }
  }

  /// A copy of the scripts with a fake compiler, and the environment that makes them find it.
  private static func clone(
    on test: TestLoop
  ) throws -> (folder: ScratchFolder, environment: [String: String]) {
    let clone = try ScratchFolder(["compiler": compiler, "fuzzer": fuzzer, "tests": tests])
    // Copies by a child process. A file that this process wrote could still be open for writing in
    // children of other tests, and the kernel does not execute such a file.
    let copied = try Program.run(
      [
        "-c", #"cp -R "$0" "$1/scripts" && install -m 755 "$1/compiler" "$1/swift""#, folder,
        clone.path,
      ], of: "/bin/bash", on: test)
    #expect(copied.ending == .exited(code: 0), "\(copied.errorOutput)")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = clone.path + ":" + environment["PATH", default: ""]
    return (clone, environment)
  }

  /// A fake compiler: it builds programs that print their names and arguments.
  private static let compiler = """
    #!/bin/bash
    programs=$(dirname "$0")/.build/release
    case "$*" in
      --version) echo 'Swift version 6.3.1' ;;
      *--show-bin-path) echo "$programs" ;;
      'build -c release --product '*)
        echo 'Building for production...'
        mkdir -p "$programs"
        printf '#!/bin/bash\\necho $(basename "$0") "$@"\\n' >"$programs/${*: -1}"
        chmod +x "$programs/${*: -1}" ;;
      'build -c release --scratch-path .build/fuzz --product '*)
        mkdir -p "$programs"
        install -m 755 "$(dirname "$0")/fuzzer" "$programs/matinee-fuzz" ;;
      'build --build-tests')
        mkdir -p "$programs"
        install -m 755 "$(dirname "$0")/tests" "$programs/matineePackageTests.xctest" ;;
      *) echo "swift was told $*" >&2; exit 1 ;;
    esac
    """

  /// Fake tests, of which one hangs; the filter EdgeCaseTset chooses none.
  private static let tests = """
    #!/bin/bash
    case "$*" in *EdgeCaseTset) exit 69 ;; esac
    printf '◇ Test "%s" started.\\n' slow quick
    echo '✔ Test "quick" passed after 0.1 seconds.'
    exec sleep 600
    """

  /// A fake program for fuzzing: one target is broken.
  private static let fuzzer = #"""
    #!/bin/bash
    case "$*" in
      --seeds*) ;;
      tls*-max_total_time=*)
        echo 'FuzzProgram.swift:1: Fatal error: BROKEN: a stranger has shaken hands'
        echo 'Test unit written to .build/fuzz/found/tls-crash-1'
        exit 77 ;;
      *-max_total_time=*) printf '#7\tDONE   cov: 1\n' ;;
      *) echo "$(basename "$0") $*" ;;
    esac
    """#

  @Test(arguments: ["build", "format", "lint", "package", "setup", "test"])
  func `a mistake is told before anything is done`(name: String) throws {
    try TestLoop.run { test in
      let mistake = try Program.run(["--dance"], of: "\(Self.folder)/\(name)", on: test)
      #expect(mistake.ending == .exited(code: 64))
      #expect(mistake.errorOutput.contains("--dance; see scripts/\(name) --help"))
      #expect(mistake.output.isEmpty)
    }
  }
}
