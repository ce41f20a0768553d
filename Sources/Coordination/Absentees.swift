import DequeModule
import HeapModule
import InAppMessaging
import Vocabulary

/// A person who is away, and since when.
struct Absentee: Comparable, Sendable {
  let since: Instant
  let user: UserID

  static func < (left: Absentee, right: Absentee) -> Bool {
    (left.since, left.user) < (right.since, right.user)
  }
}

/// The people who have been away longest, candidates for eviction.
///
/// Keeping all people sorted by their last visit would cost time with every event. Scanning 100,000
/// people takes milliseconds, and one scan serves up to a thousand newcomers.
struct Absentees: Sendable {
  /// How many people one scan keeps.
  static let limit = 1_024
  /// The pause before the next scan if a scan found nobody.
  static let pause = Duration.seconds(60)

  private var known = Heap<Absentee>()
  private var nextScan: Instant?

  mutating func popFirst() -> Absentee? { known.popMin() }

  func isScanDue(at now: Instant) -> Bool { nextScan.map { $0 <= now } ?? true }

  mutating func add(_ absentee: Absentee) {
    if known.count < Self.limit {
      known.insert(absentee)
    } else if let last = known.max, absentee < last {
      known.replaceMax(with: absentee)
    }
  }

  mutating func endScan(at now: Instant) {
    nextScan = known.isEmpty ? now + Self.pause : nil
  }

  /// Removes and returns the person who has been away longest and is still away.
  ///
  /// - Parameters:
  ///   - people: everybody; scanned again if nobody is left from the last scan.
  ///   - start: people who have been away since then or earlier may be forgotten.
  ///   - awaySince: since when a person is away; `nil` if they are connected or have to stay.
  mutating func popFirst(
    of people: some Collection<UserID>, at now: Instant, awayBefore start: Instant,
    awaySince: (UserID) -> Instant?
  ) -> UserID? {
    for _ in 0..<2 {
      while let absentee = popFirst() {
        // A person who has come back since the scan stays.
        if awaySince(absentee.user) == absentee.since { return absentee.user }
      }
      guard isScanDue(at: now) else { return nil }
      for user in people {
        guard let since = awaySince(user), since <= start else { continue }
        add(Absentee(since: since, user: user))
      }
      endScan(at: now)
    }
    return nil
  }
}

/// The evaluation traces of the people who left last: why campaigns were not shown to them.
///
/// Operators mostly ask after the person's app is closed. A trace kept with every known person would
/// take a third of the person's memory.
struct PastTraces: Sendable {
  /// The number of people: at most 700 KB.
  static let limit = 1_024

  private var traces: [UserID: (leaving: Int, trace: EvaluationTrace)] = [:]
  /// The latest departures, oldest first, including those of people who came back since.
  private var leavings: Deque<(number: Int, user: UserID)> = []
  private var count = 0

  subscript(user: UserID) -> EvaluationTrace? { traces[user]?.trace }

  mutating func add(_ trace: EvaluationTrace, of user: UserID) {
    guard !trace.rows.isEmpty else { return }
    count += 1
    traces[user] = (count, trace)
    leavings.append((count, user))
    guard leavings.count > Self.limit, let first = leavings.popFirst() else { return }
    if traces[first.user]?.leaving == first.number { traces[first.user] = nil }
  }

  mutating func remove(_ user: UserID) { traces[user] = nil }
}

/// The devices that were away when their group closed, until their grace is over.
///
/// They are in no group any more, so the front forgets them; but whoever comes back is told why,
/// and does not open the group anew. A restart of the server forgets them.
struct Farewells: Sendable {
  private var tokens: [DeviceID: (token: Secret, end: Instant)] = [:]
  /// The latest farewells, the first to end first, including those of devices that had another since.
  private var ends: Deque<(end: Instant, device: DeviceID)> = []

  /// Notes a device whose group closed.
  ///
  /// - Parameters:
  ///   - device: the device, which is away.
  ///   - end: when its grace ends, not earlier than that of any other.
  ///   - now: the time; what ended before is dropped.
  ///   - limit: how many there may be.
  mutating func add(_ device: Device, until end: Instant, at now: Instant, limit: Int) {
    tokens[device.id] = (device.token, end)
    ends.append((end, device.id))
    while let first = ends.first, first.end <= now || ends.count > limit {
      ends.removeFirst()
      if tokens[first.device]?.end == first.end { tokens[first.device] = nil }
    }
  }

  /// Whether the device with this token was away when its group closed.
  func has(_ device: DeviceID, token: String, at now: Instant) -> Bool {
    tokens[device].map { $0.end > now && $0.token.matches(token) } ?? false
  }
}
