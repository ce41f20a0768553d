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

// The common fields once more without generics of another module: those are not specialised, and
// look up type metadata for each field: an event took 1.2 µs with them, and takes 0.46 without.
extension JSONWriter {
  mutating func field<Kind>(_ name: String, _ id: Identifier<Kind>) {
    self.name(name)
    string(id.text)
  }

  mutating func field<Kind>(_ name: String, _ id: Identifier<Kind>?) {
    if let id { field(name, id) }
  }

  mutating func field(_ name: String, _ text: String) {
    self.name(name)
    string(text)
  }

  mutating func field(_ name: String, _ number: Int64) {
    self.name(name)
    integer(number)
  }

  mutating func field(_ name: String, _ number: Int64?) {
    if let number { field(name, number) }
  }

  mutating func field(_ name: String, _ number: Int) { field(name, Int64(number)) }

  mutating func field(_ name: String, _ instant: Instant) { field(name, instant.microseconds) }

  mutating func field(_ name: String, _ instant: Instant?) {
    if let instant { field(name, instant) }
  }

  mutating func field(_ name: String, _ place: MediaTime) { field(name, place.microseconds) }

  mutating func field(_ name: String, _ rate: Rate) {
    self.name(name)
    thousandths(Int64(rate.thousandths))
  }

  mutating func field(_ name: String, _ rate: Rate?) {
    if let rate { field(name, rate) }
  }
}
