import FoundationEssentials
import JSON

/// What the figures were measured on, and what else it did.
struct Machine {
  let processors: Int
  /// The load average of the minute before, as Linux tells it.
  let load: String

  /// The machine as it is now.
  static func read() -> Machine {
    Machine(
      processors: ProcessInfo.processInfo.activeProcessorCount,
      load: text("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "unknown")
  }

  private static func text(_ path: String) -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      return ""
    }
  }
}

extension Machine: JSONWritable {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("processors", processors)
      writer.field("loadBefore", load)
    }
  }
}

extension Machine {
  /// The machine in a line.
  var text: String {
    "\(processors) processors, load of the last minute \(load)\n"
  }
}
