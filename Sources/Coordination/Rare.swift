/// A value that is not there most of the time: it lies apart, so that its absence costs a word.
enum Rare<Value: Sendable>: Sendable {
  case absent
  indirect case present(Value)

  var isPresent: Bool {
    if case .present = self { true } else { false }
  }

  var value: Value? {
    if case .present(let value) = self { value } else { nil }
  }
}
