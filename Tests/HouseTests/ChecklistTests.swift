import Foundation
import Testing

/// Checks the ids that tests claim to prove, in lines such as `// Proves: R-7, B10`.
///
/// `scripts/test` prints how many ids are proved.
@Suite struct ChecklistTests {
  /// How many ids each checklist has: B Braze's delegate, F Firebase's own display, S messages of a
  /// group's session, A custom views, W weak points of the demonstration that inspired them, K
  /// Kii's handlers of notification responses, R rules, §7 scenarios.
  private static let sizes = [
    "B": 38, "F": 33, "S": 37, "A": 28, "W": 12, "K": 27, "R-": 41, "§7.": 15,
  ]

  private static func isKnown(_ id: Substring) -> Bool {
    sizes.contains { list, size in
      id.hasPrefix(list) && (Int(id.dropFirst(list.count)).map { (1...size).contains($0) } ?? false)
    }
  }

  @Test func `tests prove what is on a list`() throws {
    let marker = "// Proves: "
    var unknown: [String] = []
    for file in try SourceTree("Tests").files where file.room != "HouseTests" {
      for (number, line) in file.lines.enumerated() {
        guard let start = line.range(of: marker)?.upperBound else { continue }
        for id in line[start...].split(separator: ", ") where !Self.isKnown(id) {
          unknown.append("\(file.path):\(number + 1): \(id)")
        }
      }
    }
    #expect(unknown == [])
  }
}
