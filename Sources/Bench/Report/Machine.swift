import FoundationEssentials
import JSON

/// The machine that the figures were measured on, and its other load.
struct Machine {
  let processors: Int
  /// The load average of the last minute before the measurement, from Linux.
  let load: String

  /// Reads the machine's current state.
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
  /// The machine in one line of text.
  var text: String {
    "\(processors) processors, load of the last minute \(load)\n"
  }
}
