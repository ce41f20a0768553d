package import JSON
import Vocabulary

extension Duration: JSONWritable {
  /// Writes microseconds.
  package func write(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension HostTime: JSONWritable {
  /// Writes microseconds.
  package func write(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension JSONWriter {
  /// Writes a field only where it is so; absent is false.
  mutating func flag(_ name: String, _ isSo: Bool) {
    if isSo { field(name, isSo) }
  }

  /// Writes a word of an enumeration.
  mutating func field(_ name: String, word: some RawRepresentable<String>) {
    field(name, word.rawValue)
  }

  /// Writes an application's own value, unless it is `null`.
  mutating func payload(_ value: JSONText) {
    if value != .null { field("payload", value) }
  }

  /// Begins a line's object; ``endObject()`` ends it.
  mutating func begin(_ type: some RawRepresentable<String>, _ id: Int64? = nil) {
    beginObject()
    field("type", type.rawValue)
    field("id", id)
  }
}
