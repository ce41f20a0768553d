/// What a reader of things that happen is given.
enum Delivery<Element: Sendable>: Sendable {
  case element(Element)
  /// As many elements were dropped here, because the reader was too slow.
  case missed(Int)
}

extension Delivery: Equatable where Element: Equatable {}
