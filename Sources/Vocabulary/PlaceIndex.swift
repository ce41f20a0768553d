/// Where each of some keys has its place.
public protocol PlaceIndex<Key>: Sequence where Element == (key: Key, value: UInt32) {
  associatedtype Key: Hashable

  /// An index of nothing.
  init()

  /// How many keys there are.
  var count: Int { get }
  /// Whether there is none.
  var isEmpty: Bool { get }

  /// The place of a key; assigning `nil` takes the key out.
  subscript(key: Key) -> UInt32? { get set }

  /// Makes room for so many keys.
  mutating func reserveCapacity(_ count: Int)
}

extension Dictionary: PlaceIndex where Value == UInt32 {}
