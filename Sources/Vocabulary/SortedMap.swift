/// A dictionary in the order of its keys, in pages.
///
/// Made for the people of a session: a few in thousands of sessions, or thousands in one. A hash
/// table for five has room for eight, whereas this grows by an eighth, and its order is the same
/// everywhere. Few keys are in one array. Many are in pages, so that a decision that tries a change
/// on a copy copies one page and not thousands of people. A look-up is a binary search; an
/// insertion moves the rest of the page.
public struct SortedMap<Key: Comparable, Value> {
  /// Entries per page.
  ///
  /// Copying one page costs about as much as twelve look-ups.
  @usableFromInline static var pageCount: Int { 64 }

  /// Both cases take one word, because each session has a dozen maps.
  @usableFromInline var pages = Pages.one([])

  @usableFromInline enum Pages {
    case one([Entry])
    /// At least two pages, in order, none of them empty.
    case many([[Entry]])
  }

  /// A struct and not a tuple, because reading the key of a tuple copies its value, too.
  @usableFromInline struct Entry {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// Where an entry lies.
  public struct Index: Comparable, Sendable {
    @usableFromInline let page: Int
    @usableFromInline let place: Int

    @inlinable init(_ page: Int, _ place: Int) {
      self.page = page
      self.place = place
    }

    /// Whether one comes before the other.
    @inlinable public static func < (left: Index, right: Index) -> Bool {
      (left.page, left.place) < (right.page, right.place)
    }
  }

  /// The keys, in order.
  @inlinable public var keys: some BidirectionalCollection<Key> { lazy.map { $0.key } }

  /// The values, in the order of their keys.
  @inlinable public var values: some BidirectionalCollection<Value> { lazy.map { $0.value } }

  /// The value of a key; assigning `nil` removes the key.
  @inlinable public subscript(key: Key) -> Value? {
    get {
      let index = index(of: key)
      return isHere(key, index) ? self[page: index.page].span[index.place].value : nil
    }
    _modify {
      let index = index(of: key)
      let isHere = isHere(key, index)
      var value = isHere ? self[page: index.page].span[index.place].value : nil
      defer {
        switch (value, isHere) {
        case (let value?, true): self[page: index.page][index.place].value = value
        case (let value?, false): insert(Entry(key: key, value: value), at: index)
        case (nil, true): remove(at: index)
        case (nil, false): break
        }
      }
      yield &value
    }
  }

  /// The first value that matches, in the order of the keys.
  ///
  /// It reads the values in place. A loop over ``values`` copies each, which takes ten times as
  /// long with thousands of participants.
  @inlinable public func firstValue(where matches: (borrowing Value) -> Bool) -> Value? {
    for page in 0...lastPage {
      let entries = self[page: page]
      let span = entries.span
      for place in span.indices where matches(span[place].value) { return span[place].value }
    }
    return nil
  }

  /// The least of the values drawn from the elements in place; `nil` if there are none.
  @inlinable public func least<Drawn: Comparable>(
    _ drawn: (_ key: borrowing Key, _ value: borrowing Value) -> Drawn?
  ) -> Drawn? {
    var least: Drawn?
    for page in 0...lastPage {
      let entries = self[page: page]
      let span = entries.span
      for place in span.indices {
        guard let next = drawn(span[place].key, span[place].value) else { continue }
        if let known = least, known <= next { continue }
        least = next
      }
    }
    return least
  }

  /// Changes a value in place, and says whether the key is present.
  ///
  /// A change through the subscript copies the value, because it is an optional there.
  @inlinable public mutating func change(_ key: Key, _ change: (inout Value) -> Void) -> Bool {
    let index = index(of: key)
    guard isHere(key, index) else { return false }
    change(&self[page: index.page][index.place].value)
    return true
  }

  /// Removes a key, and returns its value if it was present.
  @discardableResult
  @inlinable public mutating func removeValue(forKey key: Key) -> Value? {
    let index = index(of: key)
    return isHere(key, index) ? remove(at: index).value : nil
  }
}

// MARK: Pages

extension SortedMap {
  @inlinable var lastPage: Int {
    switch pages {
    case .one: 0
    case .many(let all): all.count - 1
    }
  }

  @inlinable subscript(page page: Int) -> [Entry] {
    get {
      switch pages {
      case .one(let entries): entries
      case .many(let all): all[page]
      }
    }
    _modify {
      // Taken out for the change, because a value that is held twice is copied when it changes.
      switch pages {
      case .one(var entries):
        pages = .one([])
        defer { pages = .one(entries) }
        yield &entries
      case .many(var all):
        pages = .one([])
        defer { pages = .many(all) }
        yield &all[page]
      }
    }
  }

  @inlinable mutating func insert(_ entry: Entry, at index: Index) {
    self[page: index.page].makeRoom()
    self[page: index.page].insert(entry, at: index.place)
    guard self[page: index.page].count > Self.pageCount else { return }
    // Keys mostly come in order: a key behind the last one begins a new page, so that earlier pages
    // stay full.
    let isLast = index.page == lastPage && index.place == Self.pageCount
    split(index.page, at: isLast ? Self.pageCount : Self.pageCount / 2)
  }

  @inlinable mutating func split(_ page: Int, at place: Int) {
    let entries = self[page: page]
    let halves = [Array(entries[..<place]), Array(entries[place...])]
    switch pages {
    case .one: pages = .many(halves)
    case .many(var all):
      pages = .one([])
      all.replaceSubrange(page...page, with: halves)
      pages = .many(all)
    }
  }

  @discardableResult
  @inlinable mutating func remove(at index: Index) -> Entry {
    let entry = self[page: index.page].remove(at: index.place)
    if index.page < lastPage { join(index.page) }
    if index.page > 0 { join(index.page - 1) }
    return entry
  }

  /// Merges two pages if both are nearly empty or one is empty.
  @inlinable mutating func join(_ page: Int) {
    guard case .many(var all) = pages, page + 1 < all.count else { return }
    let (count, next) = (all[page].count, all[page + 1].count)
    guard count == 0 || next == 0 || count + next <= Self.pageCount / 2 else { return }
    pages = .one([])
    all[page] += all.remove(at: page + 1)
    pages = all.count > 1 ? .many(all) : .one(all[0])
  }

  @inlinable func isHere(_ key: Key, _ index: Index) -> Bool {
    let span = self[page: index.page].span
    return index.place < span.count && span[index.place].key == key
  }

  /// The place of a key, or where it would be.
  ///
  /// It reads the keys in place, because otherwise their values would be copied, too.
  @inlinable func index(of key: Key) -> Index {
    var (low, high) = (0, lastPage)
    while low < high {
      let middle = (low + high + 1) / 2
      let page = self[page: middle]
      let span = page.span
      if key < span[0].key { high = middle - 1 } else { low = middle }
    }
    let page = self[page: low]
    return Index(low, Self.place(of: key, in: page.span))
  }

  @inlinable static func place(of key: Key, in span: Span<Entry>) -> Int {
    var (low, high) = (0, span.count)
    while low < high {
      let middle = (low + high) / 2
      if span[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: Conformances

extension SortedMap: BidirectionalCollection {
  /// The place of the smallest key.
  @inlinable public var startIndex: Index { Index(0, 0) }
  /// Behind the largest key.
  @inlinable public var endIndex: Index { Index(lastPage, self[page: lastPage].count) }
  /// How many keys there are.
  @inlinable public var count: Int {
    switch pages {
    case .one(let entries): entries.count
    case .many(let all): all.reduce(0) { $0 + $1.count }
    }
  }
  /// Whether there is none.
  @inlinable public var isEmpty: Bool { self[page: 0].isEmpty }

  /// The place behind another.
  @inlinable public func index(after index: Index) -> Index {
    let isLastOfPage = index.place + 1 == self[page: index.page].count
    return isLastOfPage && index.page < lastPage
      ? Index(index.page + 1, 0) : Index(index.page, index.place + 1)
  }

  /// The place before another.
  @inlinable public func index(before index: Index) -> Index {
    index.place > 0
      ? Index(index.page, index.place - 1)
      : Index(index.page - 1, self[page: index.page - 1].count - 1)
  }

  /// The key and value at a place.
  @inlinable public subscript(index: Index) -> (key: Key, value: Value) {
    let entry = self[page: index.page][index.place]
    return (entry.key, entry.value)
  }
}

extension SortedMap: ExpressibleByDictionaryLiteral {
  /// A map of these; of equal keys the last one counts.
  @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension SortedMap: Equatable where Value: Equatable {
  /// Whether both have equal values for the same keys, regardless of pages.
  @inlinable public static func == (left: SortedMap, right: SortedMap) -> Bool {
    if case (.one(let few), .one(let others)) = (left.pages, right.pages) { return few == others }
    return left.count == right.count
      && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
  }
}

extension SortedMap.Entry: Equatable where Value: Equatable {}
extension SortedMap.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension SortedMap.Pages: Sendable where Key: Sendable, Value: Sendable {}
extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}
