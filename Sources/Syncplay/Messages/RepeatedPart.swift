import JSON

/// A part of lines that is the same in many of them in a row: written once, and copied.
struct RepeatedPart<Key: Equatable & Sendable>: Sendable {
  private var key: Key?
  private var text: [UInt8] = []

  /// Appends the part: what was written for this key, if that was the last one, else what is
  /// written now, which has to end with an element.
  mutating func append(
    _ key: Key, to writer: inout JSONWriter, writing write: (inout JSONWriter) -> Void
  ) {
    guard self.key != key else { return writer.again(text) }
    let start = writer.bytes.count
    write(&writer)
    self.key = key
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: writer.bytes[start...])
  }
}
