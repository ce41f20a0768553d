package import Vocabulary

/// A person's impressions by campaign, in two arrays.
///
/// A campaign takes 32 bytes here, and 8 for each further instant that its caps look at. An array
/// of instants for each campaign would take some 90 bytes.
package struct ImpressionLog: Equatable, Sendable {
  private var entries: [Entry] = []
  /// The instants before the last one, campaign by campaign, each campaign's oldest first.
  private var earlier: [Instant] = []

  private struct Entry: Equatable, Sendable {
    let campaign: CampaignID
    var last: Instant
    var count: UInt32
    /// How many of the earlier instants are this campaign's.
    var kept: UInt16
  }

  /// Nothing was seen yet.
  package init() {}

  /// Makes a log from a snapshot; of several histories of one campaign, the last one counts.
  package init(_ histories: [(campaign: CampaignID, history: ImpressionHistory)]) {
    for (campaign, history) in histories { self[campaign] = history }
  }

  /// How many campaigns were seen.
  package var count: Int { entries.count }

  /// Whether nothing was seen.
  package var isEmpty: Bool { entries.isEmpty }

  /// The campaigns, in order.
  package var campaigns: [CampaignID] { entries.map(\.campaign) }

  /// What was seen of a campaign; `nil` if nothing was.
  package subscript(campaign: CampaignID) -> ImpressionHistory? {
    get {
      guard let place = place(of: campaign) else { return nil }
      let entry = entries[place]
      return ImpressionHistory(
        count: Int(entry.count), last: entry.last, earlier: Array(earlier[kept(at: place)]))
    }
    set {
      if let place = place(of: campaign) {
        earlier.removeSubrange(kept(at: place))
        entries.remove(at: place)
      }
      guard let newValue else { return }
      let place = entries.firstIndex { campaign < $0.campaign } ?? entries.endIndex
      let kept = newValue.earlier.suffix(Int(UInt16.max))
      // Reserves room for one, because a person sees a new campaign every few days only.
      entries.reserveCapacity(entries.count + 1)
      entries.insert(
        Entry(
          campaign: campaign, last: newValue.last, count: UInt32(clamping: newValue.count),
          kept: 0), at: place)
      let start = self.kept(at: place).lowerBound
      earlier.insert(contentsOf: kept, at: start)
      entries[place].kept = UInt16(kept.count)
    }
  }

  /// Notes an impression, and keeps as many instants as the campaign's caps look at.
  mutating func note(_ campaign: CampaignID, at now: Instant, remembered: Int) {
    guard let place = place(of: campaign) else {
      self[campaign] = ImpressionHistory(count: 1, last: now)
      return
    }
    let kept = kept(at: place)
    earlier.reserveCapacity(earlier.count + 1)
    earlier.insert(entries[place].last, at: kept.upperBound)
    let surplus = max(0, kept.count + 1 - (remembered - 1))
    earlier.removeSubrange(kept.lowerBound..<(kept.lowerBound + surplus))
    entries[place].kept = UInt16(kept.count + 1 - surplus)
    entries[place].last = now
    entries[place].count = entries[place].count &+ 1
  }

  /// When a campaign was last seen.
  func last(of campaign: CampaignID) -> Instant? {
    place(of: campaign).map { entries[$0].last }
  }

  /// How often a campaign was seen, ever.
  func count(of campaign: CampaignID) -> Int {
    place(of: campaign).map { Int(entries[$0].count) } ?? 0
  }

  /// How many of the remembered impressions of a campaign match.
  func count(of campaign: CampaignID, where matches: (Instant) -> Bool) -> Int {
    guard let place = place(of: campaign) else { return 0 }
    return earlier[kept(at: place)].count(where: matches) + (matches(entries[place].last) ? 1 : 0)
  }

  private func place(of campaign: CampaignID) -> Int? {
    let span = entries.span
    var (low, high) = (0, span.count)
    while low < high {
      let middle = (low + high) / 2
      if span[middle].campaign < campaign { low = middle + 1 } else { high = middle }
    }
    return low < span.count && span[low].campaign == campaign ? low : nil
  }

  /// Where the earlier instants of the campaign at a place lie.
  private func kept(at place: Int) -> Range<Int> {
    let span = entries.span
    var start = 0
    for before in 0..<place { start += Int(span[before].kept) }
    return start..<(start + Int(span[place].kept))
  }
}

/// What a person has seen of one campaign.
package struct ImpressionHistory: Equatable, Sendable {
  /// How often, ever.
  package var count: Int
  package var last: Instant
  /// Those before the last one, as many as the campaign's caps look at, oldest first.
  package var earlier: [Instant]

  package init(count: Int, last: Instant, earlier: [Instant] = []) {
    self.count = count
    self.last = last
    self.earlier = earlier
  }
}
