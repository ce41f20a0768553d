/// Where each of some peers has its place: their slots are small numbers, so nothing is hashed.
///
/// The shell's slots are those of all peers, also of those who are not here; each takes eight bytes.
public struct PeerIndex: PlaceIndex, Sendable {
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var generation: UInt32
    /// ``nowhere`` if nobody of this slot is here.
    @usableFromInline var place: UInt32

    @inlinable init(generation: UInt32, place: UInt32) {
      self.generation = generation
      self.place = place
    }
  }

  @inlinable static var nowhere: UInt32 { .max }

  @usableFromInline var slots: [Slot] = []
  @usableFromInline var filled = 0

  /// An index of nobody.
  @inlinable public init() {}

  /// How many peers are here.
  @inlinable public var count: Int { filled }
  /// Whether nobody is.
  @inlinable public var isEmpty: Bool { filled == 0 }

  /// The place of a peer.
  ///
  /// A slot has one peer at a time: whoever had it before was taken out.
  @inlinable public subscript(id: PeerID) -> UInt32? {
    get {
      guard Int(id.slot) < slots.count else { return nil }
      let slot = slots[Int(id.slot)]
      return slot.generation == id.generation && slot.place != Self.nowhere ? slot.place : nil
    }
    set {
      let old = self[id]
      filled += (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
      if newValue == nil, old == nil { return }
      reserveCapacity(Int(id.slot) + 1)
      slots[Int(id.slot)] = Slot(generation: id.generation, place: newValue ?? Self.nowhere)
    }
  }

  /// Makes room for so many slots.
  @inlinable public mutating func reserveCapacity(_ count: Int) {
    while slots.count < count { slots.append(Slot(generation: 0, place: Self.nowhere)) }
  }

  /// Walks over peers and their places, in the order of their slots.
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: PeerID, value: UInt32)> {
    slots.enumerated().lazy.filter { $0.element.place != Self.nowhere }.map { number, slot in
      (key: PeerID(slot: UInt32(number), generation: slot.generation), value: slot.place)
    }.makeIterator()
  }
}
