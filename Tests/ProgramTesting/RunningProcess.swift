internal import Foundation

/// A process of this machine, as `/proc` tells of it (proc(5)).
package struct RunningProcess: Hashable, Sendable {
  /// The system's number for it.
  package let id: Int32
  /// The program's name, as far as the kernel keeps it: 15 bytes.
  package let name: String
  private let parent: Int32
  /// Ticks of a hundredth of a second that it has used, in the program and in the kernel.
  package let processorTicks: Int

  /// The process of that number; nil if there is none, or none any more but for its parent to see.
  package init?(_ id: Int32) {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat"),
      let text = String(bytes: bytes, encoding: .utf8),
      // The name may hold anything, also brackets; what follows the last one is numbers.
      let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count > 12, fields[0] != "Z", let parent = Int32(fields[1]),
      let user = Int(fields[11]), let kernel = Int(fields[12])
    else { return nil }
    self.id = id
    self.parent = parent
    name = String(text[text.index(after: open)..<close])
    processorTicks = user + kernel
  }

  /// All that run now.
  package static var all: [RunningProcess] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: "/proc")
        .compactMap { Int32($0) }.compactMap { RunningProcess($0) }
    }
  }

  /// What a process started, and what that started, and so on.
  package static func descendants(of id: Int32) throws -> [RunningProcess] {
    let all = try all
    var found: [RunningProcess] = []
    var parents: Set = [id]
    while !parents.isEmpty {
      let children = all.filter { parents.contains($0.parent) }
      found += children
      parents = Set(children.map(\.id))
    }
    return found
  }
}
