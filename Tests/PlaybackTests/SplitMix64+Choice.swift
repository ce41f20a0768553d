import Vocabulary

extension SplitMix64 {
  /// One of them, each as likely.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }

  /// True once in so many times.
  mutating func chance(oneIn count: UInt64) -> Bool { next() % count == 0 }
}
