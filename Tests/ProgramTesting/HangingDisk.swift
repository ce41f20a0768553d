internal import Foundation

/// Starts programs for which a disk hangs.
///
/// It needs no rights; the kernel lets another process answer some of the program's system calls.
package enum HangingDisk {
  /// What never returns.
  package enum Call: String, Sendable {
    case read
    case close
  }

  /// The interpreter, by its path.
  private static let python = "/usr/bin/python3"

  /// Whether this system can do it.
  package static var isPossible: Bool {
    let actions = FileManager.default.contents(atPath: "/proc/sys/kernel/seccomp/actions_avail")
    return FileManager.default.isExecutableFile(atPath: python)
      && String(decoding: actions ?? Data(), as: UTF8.self).contains("user_notif")
  }

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
