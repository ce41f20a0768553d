/// Values in a row that grows by whole pages.
///
/// An array that grows copies everything, and keeps up to half of its room empty; for thousands of
/// peers that room is a third of the server's memory. A page holds 64 values and never moves.
public struct Pages<Element: Sendable>: Sendable {
  @usableFromInline static var pageCount: Int { 64 }

  @usableFromInline var pages: [[Element]] = []
  @usableFromInline var filled = 0

  /// In which page a value lies, and where in it.
  @inlinable static func position(of place: UInt32) -> (page: Int, place: Int) {
    (Int(place) / pageCount, Int(place) % pageCount)
  }

  /// How many values there are.
  @inlinable public var count: Int { filled }

  /// A row of nothing.
  @inlinable public init() {}

  /// The value at a place, where it lies.
  @inlinable public subscript(place: UInt32) -> Element {
    // Out of a span: an array's own subscript would copy what is only to be looked at.
    _read {
      let page = pages[Int(place) / Self.pageCount]
      let elements = page.span
      yield elements[Int(place) % Self.pageCount]
    }
    _modify { yield &pages[Int(place) / Self.pageCount][Int(place) % Self.pageCount] }
  }

  /// Changes the value at a place where it lies.
  @inlinable public mutating func change<Result>(
    _ place: UInt32, _ change: (inout Element) -> Result
  ) -> Result {
    change(&pages[Int(place) / Self.pageCount][Int(place) % Self.pageCount])
  }

  /// Puts a value behind all others.
  @inlinable public mutating func append(_ element: Element) {
    if count == pages.count * Self.pageCount {
      var page: [Element] = []
      page.reserveCapacity(Self.pageCount)
      pages.append(page)
    }
    pages[pages.count - 1].append(element)
    filled += 1
  }
}
