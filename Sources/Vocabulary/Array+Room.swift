extension Array {
  /// Makes room for one more element, and for an eighth more than there are.
  ///
  /// An array grows twofold by itself: right for one that goes on growing, but of thousands that
  /// stay small a third of the memory would stand empty.
  @inlinable public mutating func makeRoom() {
    guard count == capacity else { return }
    reserveCapacity(count + count / 8 + 1)
  }

  /// Gives the room back, if all that stood in it is gone: an empty array keeps it by itself.
  @inlinable public mutating func giveBackRoom() {
    if isEmpty { self = [] }
  }
}
