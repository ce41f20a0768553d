import FoundationEssentials

/// What a running program has used, by the system's own account (proc(5)).
package struct ProcessUsage: Equatable, Sendable {
  /// A number of the account cannot be read: the program is gone, or this is no Linux.
  package struct Unreadable: Error, Equatable, CustomStringConvertible {
    /// Which file has it.
    package let path: String

    /// What happened, for a person.
    package var description: String {
      "\(path) cannot be read; the program has ended, or this is no Linux"
    }
  }

  private let directory: String

  /// The account of a program.
  ///
  /// - Parameter id: the system's number for it.
  package init(of id: Int32) { directory = "/proc/\(id)" }

  /// The processor time that its threads have used, in nanoseconds; exact while they rest.
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

  /// The memory that it has written to, in bytes.
  ///
  /// Not its pages of programs and libraries: those count as its alone, or not, as others that run
  /// the same come and go.
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
