import EventLoops
import Foundation
import LoopTesting
import Scenarios
import Testing

@testable import Stages

/// The servers of a stage, in whose place is a program that only says that it listens.
@Suite struct StagedServersTests {
  private static let scenario = """
    peers: {ann: }
    steps:
      - at: 0
        server: fail over
    """

  /// A program of which the start with this number, counted from 0, ends by itself once there is a
  /// file beside it.
  private static func program(crashing number: Int) -> String {
    """
    #!/bin/bash
    for number in 0 1 2; do
      mkdir "$XDG_DATA_HOME/$number" 2>/dev/null && break
    done
    echo "listening address=$3" >&2
    [ "$number" = \(number) ] || exec tail -f /dev/null
    until [ -e "${0%/*}/crash" ]; do sleep 0.02; done
    exit 3
    """
  }

  @Test(arguments: 0...2)
  func `a server that ends by itself is named, whether it decides or takes people in`(
    number: Int
  ) throws {
    let scenario = try ScenarioReader(file: "test.yaml").read(Self.scenario)
    #expect(scenario.failsOver)
    let directory = try PrivateDirectory(prefix: "matinee-stage-")
    let program = directory.path(of: "server")
    func write(_ text: String, to path: String) {
      let isWritten = FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o700])
      #expect(isWritten)
    }
    write(Self.program(crashing: number), to: program)
    try TestLoop.run { test in
      let servers = try StagedServers(
        for: scenario, serving: program, isEncrypted: false, on: test.loop)
      defer { servers.close() }
      #expect(servers.failure == nil)
      write("", to: directory.path(of: "crash"))
      try test.run { servers.failure != nil }
      let words = "the server at 127.0.0.1:\(servers.ports[number]) ended: exited(code: 3)"
      #expect(servers.failure?.hasPrefix(words) == true, "\(servers.failure ?? "")")
    }
    try FileManager.default.removeItem(atPath: directory.path)
  }
}
