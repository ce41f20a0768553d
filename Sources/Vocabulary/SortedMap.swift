/// A dictionary in the order of its keys, in pages.
///
/// Made for the people of a session, a few in thousands of sessions or thousands in one. A hash
/// table for five has room for eight, whereas this grows by an eighth; it has the same order
/// everywhere. Few keys lie in one array. Many lie in pages, since a decision that tries a change
/// out on a copy then copies one page of them and not thousands of people. Finding takes a binary
/// search, inserting moves what lies behind in the page.
public struct SortedMap<Key: Comparable, Value> {
  /// As much as a page holds: a copy of it costs what a dozen searches cost.
  @usableFromInline static var pageCount: Int { 64 }

  /// One word, whichever it is: there are a dozen maps in each session.
  @usableFromInline var pages = Pages.one([])

  @usableFromInline enum Pages {
    case one([Entry])
    /// At least two pages, in order, none of them empty.
    case many([[Entry]])
  }

  /// A struct, not a tuple: to look at the key of a tuple copies its value, too.
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

  /// An empty map.
  @inlinable public init() {}

  /// The keys, in order.
  @inlinable public var keys: some BidirectionalCollection<Key> { lazy.map { $0.key } }

  /// The values, in the order of their keys.
  @inlinable public var values: some BidirectionalCollection<Value> { lazy.map { $0.value } }

  /// The value of a key; assigning `nil` takes the key out.
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
  /// Looks at the values where they lie: a loop over ``values`` copies each, which for thousands
  /// of participants takes ten times as long.
  @inlinable public func firstValue(where matches: (borrowing Value) -> Bool) -> Value? {
    for page in 0...lastPage {
      let entries = self[page: page]
      let span = entries.span
      for place in span.indices where matches(span[place].value) { return span[place].value }
    }
    return nil
  }

  /// The least of what is drawn from the elements where they lie; `nil` if nothing is.
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

  /// Changes a value where it lies, and says whether it was there.
  ///
  /// Changing it through the subscript copies it, as there it is an optional.
  @inlinable public mutating func change(_ key: Key, _ change: (inout Value) -> Void) -> Bool {
    let index = index(of: key)
    guard isHere(key, index) else { return false }
    change(&self[page: index.page][index.place].value)
    return true
  }

  /// Takes a key out, and returns its value if it was there.
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
      // Taken out meanwhile: what is held twice is copied before it changes.
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
    // Keys mostly come in order: behind the last one begins a page, and those before stay full.
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

  /// Makes one page of two that have little in them, or of which one has nothing.
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

  /// Where a key is, or would be; looks at the keys where they lie, or their values were copied, too.
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
  /// Where the smallest key is.
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
  /// Whether both have equal values for the same keys, however these lie in pages.
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
