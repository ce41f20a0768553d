/// A person's attributes by name, such as their language.
///
/// Ten attributes, some of them longer texts, take 300 bytes instead of 800 in a sorted array.
package struct AttributeTable: Equatable, Sendable {
  private var table = PackedTable()

  /// A table without attributes.
  package init() {}

  /// Whether there are no attributes.
  package var isEmpty: Bool { table.isEmpty }

  /// How many attributes there are.
  package var count: Int { table.count }

  /// The value of a key; assigning `nil` removes the key.
  package subscript(key: String) -> PropertyValue? {
    get { table.value(of: key).map(PropertyValue.init(packed:)) }
    set { table.set(newValue?.packed, of: key) }
  }
}

extension AttributeTable: Sequence {
  /// Iterates over keys and values, in the order of the keys' bytes.
  package func makeIterator() -> some IteratorProtocol<(key: String, value: PropertyValue)> {
    sequence(state: 0) { [table] place in
      table.entry(at: &place).map { ($0.key, PropertyValue(packed: $0.value)) }
    }
  }
}

extension AttributeTable: ExpressibleByDictionaryLiteral {
  /// A table of these attributes; of equal keys, the last one counts.
  package init(dictionaryLiteral elements: (String, PropertyValue)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension PropertyValue {
  fileprivate init(packed bytes: ArraySlice<UInt8>) {
    var rest = bytes.dropFirst()
    switch bytes.first {
    case 0: self = .string(String(decoding: rest, as: UTF8.self))
    case 1: self = .number(Double(bitPattern: rest.takeNumber()))
    case 2: self = .bool(rest.first == 1)
    default:
      var texts: [String] = []
      while !rest.isEmpty { texts.append(String(decoding: rest.takeCounted(), as: UTF8.self)) }
      self = .list(texts)
    }
  }

  fileprivate var packed: [UInt8] {
    switch self {
    case .string(let text): return [0] + text.utf8
    case .number(let number):
      var bytes: [UInt8] = [1]
      bytes.appendNumber(number.bitPattern)
      return bytes
    case .bool(let bool): return [2, bool ? 1 : 0]
    case .list(let texts):
      var bytes: [UInt8] = [3]
      for text in texts { bytes.appendCounted(text.utf8) }
      return bytes
    }
  }
}
