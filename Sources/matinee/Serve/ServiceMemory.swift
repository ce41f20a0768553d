import Foundation

/// How much memory this process may use, as systemd's MemoryMax= or a container bounds it.
enum ServiceMemory {
  /// The bound of the process's control group, in bytes; `nil` if it has none (cgroups(7), version 2).
  static func limit(root: String = "/sys/fs/cgroup", group: String = "/proc/self/cgroup") -> Int? {
    guard let bytes = FileManager.default.contents(atPath: group) else { return nil }
    // The line of version 2 is `0::/path`.
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("0::/") }
    guard let path = line?.dropFirst("0::".count) else { return nil }
    // The groups above bound it, too.
    var parts = path.split(separator: "/")
    var limits: [Int] = []
    while true {
      let file = ([root] + parts.map(String.init) + ["memory.max"]).joined(separator: "/")
      if let limit = number(in: file) { limits.append(limit) }
      guard parts.popLast() != nil else { return limits.min() }
    }
  }

  private static func number(in file: String) -> Int? {
    guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
  }
}
