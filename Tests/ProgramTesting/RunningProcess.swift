internal import Foundation

/// A process of this machine, as described by `/proc` (proc(5)).
package struct RunningProcess: Hashable, Sendable {
  /// The process id.
  package let id: Int32
  /// The program's name, of which the kernel keeps 15 bytes.
  package let name: String
  private let parent: Int32
  /// The processor time it has used, in user and kernel mode, in hundredths of a second.
  package let processorTicks: Int

  /// The process of that id; nil if there is none, or if it is a zombie.
  package init?(_ id: Int32) {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat"),
      let text = String(bytes: bytes, encoding: .utf8),
      // The name may contain brackets; only numbers follow the last one.
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

  /// All running processes.
  package static var all: [RunningProcess] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: "/proc")
        .compactMap { Int32($0) }.compactMap { RunningProcess($0) }
    }
  }

  /// All direct and indirect children of a process.
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
