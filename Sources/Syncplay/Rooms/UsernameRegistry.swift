/// The names that are taken, over all rooms; upper and lower case are one.
struct UsernameRegistry: Equatable, Sendable {
  private var taken: Set<String> = []

  /// Takes a name, made free by the reference's rule: it is cut, and underscores are appended.
  ///
  /// - Returns: the name to use; longer than the maximum where underscores were needed.
  mutating func claim(_ wanted: String, maximum: Int) -> String {
    var name = wanted.truncated(toCodePoints: maximum)
    if isTaken(name), name.last == "_" {
      while name.last == "_" { name.removeLast() }
      if name.isEmpty { name = "_" }
    }
    var attempts = 0
    while isTaken(name), attempts < Self.underscores {
      name += "_"
      attempts += 1
    }
    if isTaken(name) { name = numbered(name) }
    taken.insert(name.lowercased())
    return name
  }

  /// Underscores until numbers are used: a crowd of one name would fill every List with them.
  private static let underscores = 8

  private func numbered(_ name: String) -> String {
    var number = 2
    while isTaken(name + "\(number)") { number += 1 }
    return name + "\(number)"
  }

  /// Gives a name back.
  mutating func release(_ name: String) {
    taken.remove(name.lowercased())
  }

  private func isTaken(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}
