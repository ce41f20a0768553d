import Foundation
import Testing

/// The products of the package, according to its manifest.
@Suite struct ManifestTests {
  /// The package's targets, and the targets that each depends on.
  private static func targets() throws -> [String: (isProgram: Bool, needs: [String])] {
    let manifest = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
      .replacing(try Regex(#"\.product\([^)]*\)"#), with: "")
    let target = try Regex(
      #"\.(target|executableTarget)\(\s*name: "([^"]+)"(?:,\s*dependencies: \[([^\]]*)\])?"#)
    let name = try Regex(#""([^"]+)""#)
    var targets: [String: (isProgram: Bool, needs: [String])] = [:]
    for match in text.matches(of: target) {
      let needs = match.output[3].substring?.matches(of: name).compactMap { $0.output[1].substring }
      targets[String(match.output[2].substring ?? "")] = (
        match.output[1].substring == "executableTarget", (needs ?? []).map(String.init)
      )
    }
    return targets
  }

  // Proves: F7
  @Test func `an app links the library without any user interface, and messages without more`()
    throws
  {
    let targets = try Self.targets()
    #expect(targets["matinee"]?.isProgram == true && targets.count > 20)
    var linked: Set<String> = []
    var open = ["MatineeClient", "InAppMessaging", "Vocabulary"]
    while let next = open.popLast() {
      if linked.insert(next).inserted { open += targets[next]?.needs ?? [] }
    }
    #expect(linked.isSuperset(of: ["Participation", "Wire"]))
    // The terminal's views are a product of their own, which an app takes or leaves.
    #expect(linked.allSatisfy { targets[$0]?.isProgram != true && $0 != "MatineeTerminal" })
    #expect(targets["MatineeTerminal"]?.needs.contains("MatineeClient") == true)
    #expect(targets["InAppMessaging"]?.needs == ["Vocabulary", "WebAddresses"])
    #expect(targets["WebAddresses"]?.needs == [])
  }
}
