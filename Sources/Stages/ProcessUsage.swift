import FoundationEssentials

/// The resources that a running process has used, as the kernel reports them (proc(5)).
package struct ProcessUsage: Equatable, Sendable {
  /// A value cannot be read, because the process is gone or the system is not Linux.
  package struct Unreadable: Error, Equatable, CustomStringConvertible {
    /// The file that cannot be read.
    package let path: String

    /// The error as a message for people.
    package var description: String {
      "\(path) cannot be read; the program has ended, or this is no Linux"
    }
  }

  private let directory: String

  /// Creates the usage of a process.
  ///
  /// - Parameter id: the process id.
  package init(of id: Int32) { directory = "/proc/\(id)" }

  /// The processor time of all its threads, in nanoseconds; exact only while they are idle.
  package func processorTime() throws(Unreadable) -> Int {
    var sum = 0
    for thread in try threads() {
      let text = try text(of: "task/\(thread)/schedstat")
      guard let time = text.split(separator: " ").first.flatMap({ Int($0) }) else {
        throw Unreadable(path: "\(directory)/task/\(thread)/schedstat")
      }
      sum += time
    }
    return sum
  }

  /// The private memory that the process has written to, in bytes.
  ///
  /// Pages of executables and libraries are left out, because whether they count as private depends
  /// on which other processes run the same files.
  package func writtenMemory() throws(Unreadable) -> Int {
    let lines = try text(of: "smaps_rollup").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Private_Dirty:") }),
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw Unreadable(path: "\(directory)/smaps_rollup") }
    return kilobytes * 1024
  }

  private func threads() throws(Unreadable) -> [String] {
    let path = "\(directory)/task"
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw Unreadable(path: path)
    }
  }

  private func text(of name: String) throws(Unreadable) -> String {
    do {
      return try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
    } catch {
      throw Unreadable(path: "\(directory)/\(name)")
    }
  }
}
