/// Starts programs for which a disk hangs.
///
/// It needs no rights: since Linux 5.0, the kernel lets another process answer some of a program's
/// system calls (`seccomp_unotify(2)`).
package enum HangingDisk {
  /// What never returns.
  package enum Call: String, Sendable {
    case read
    case close
  }

  /// The interpreter, by its path.
  private static let python = "/usr/bin/python3"

  /// A program with arguments that starts another one.
  ///
  /// - Parameters:
  ///   - calls: the calls that never return.
  ///   - name: the name of the files that lie on the disk.
  package static func wrapper(hangingAt calls: [Call], of name: String) -> [String] {
    let script = String(decoding: PackageResources.hanging_disk_py, as: UTF8.self)
    return [python, "-c", script, calls.map(\.rawValue).joined(separator: ","), name]
  }
}
