/// A value that is not there most of the time: it lies apart, so that its absence costs a word.
enum Rare<Value: Sendable>: Sendable {
  case absent
  indirect case present(Value)

  var value: Value? {
    get {
      if case .present(let value) = self { value } else { nil }
    }
    set { self = newValue.map { .present($0) } ?? .absent }
  }
}
