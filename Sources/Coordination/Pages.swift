/// Values in a row that grows by whole pages.
///
/// An array that grows copies everything, and keeps up to half of its room empty; for thousands of
/// peers that room is a third of the server's memory. A page holds 64 values and never moves.
struct Pages<Element: Sendable>: Sendable {
  private static var pageCount: Int { 64 }

  private var pages: [[Element]] = []
  private(set) var count = 0

  subscript(place: UInt32) -> Element {
    // Out of a span: an array's own subscript would copy what is only to be looked at.
    _read {
      let page = pages[Int(place) / Self.pageCount]
      let elements = page.span
      yield elements[Int(place) % Self.pageCount]
    }
    _modify { yield &pages[Int(place) / Self.pageCount][Int(place) % Self.pageCount] }
  }

  mutating func append(_ element: Element) {
    if count == pages.count * Self.pageCount {
      var page: [Element] = []
      page.reserveCapacity(Self.pageCount)
      pages.append(page)
    }
    pages[pages.count - 1].append(element)
    count += 1
  }
}
