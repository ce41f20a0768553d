/// Judges by a server's pulse whether it has died.
///
/// It compares looks with each other and needs no clock of another machine. A wrong judgement costs
/// people a reconnection and no event, because the server that was replaced can write nothing any
/// more.
package struct PulseWatch: Sendable {
  /// What one look at the database shows.
  package struct Look: Equatable, Sendable {
    /// The server that has the journal; 0 if the last one has given it back.
    package let owner: Int64
    /// Counts up while that server lives.
    package let beat: Int64
    /// Whether a connection holds the writer's lock.
    package let isHeld: Bool
    /// How people prove who they are at that server, or did at the last one; `nil` if it is not known.
    package let access: String?

    package init(owner: Int64, beat: Int64, isHeld: Bool, access: String? = nil) {
      (self.owner, self.beat, self.isHeld, self.access) = (owner, beat, isHeld, access)
    }
  }

  package enum Verdict: Equatable, Sendable {
    case alive
    /// Nobody has the journal.
    case free
    case dead
    /// Nobody has the journal, or its server is dead, but this one must not take it: it would let
    /// people in otherwise.
    case barred
  }

  /// How long one look comes after another.
  package static let pause = Duration.milliseconds(250)
  /// A look that comes later than this shows nothing.
  ///
  /// The database or this server was held up, and the other one may have been, too.
  private static let latest = Duration.milliseconds(500)
  /// So many equal looks mean that a server is frozen, or cut off from the database: 2.75 s.
  ///
  /// A busy machine may hold a server up for a second or two.
  private static let looksIfHeld = 12
  /// So many equal looks without the lock mean that its process has ended: 1.5 s.
  ///
  /// A server whose connections broke is back sooner.
  private static let looksIfFree = 7

  private let access: String?
  private var last: Look?
  private var looks = 0
  private var looksWithoutLock = 0
  /// Whether another server has had the journal since this watch began.
  private var hasSeenOwner = false

  /// A watch that has seen nothing yet.
  ///
  /// - Parameter access: how people would prove who they are at this server; `nil` takes a journal
  ///   from any other one.
  package init(access: String? = nil) {
    self.access = access
  }

  /// Takes a look.
  ///
  /// - Parameter elapsed: the time since the look before was done, with this one.
  package mutating func take(_ look: Look, after elapsed: Duration) -> Verdict {
    let isUnchanged = last?.owner == look.owner && last?.beat == look.beat
    let counts = isUnchanged && elapsed <= Self.latest
    looks = counts ? looks + 1 : 1
    looksWithoutLock = look.isHeld ? 0 : counts ? looksWithoutLock + 1 : 1
    last = look
    let isOther = look.access.flatMap { theirs in access.map { $0 != theirs } } ?? false
    guard look.owner != 0 else { return isOther ? verdictOnOtherAccess : .free }
    hasSeenOwner = true
    let isDead = looks >= Self.looksIfHeld || looksWithoutLock >= Self.looksIfFree
    guard isDead else { return .alive }
    return isOther ? .barred : .dead
  }

  /// What becomes of a journal that was given back by a server with another access.
  ///
  /// An operator who changes the access stops all servers first. Then nobody takes the journal while
  /// a server that stands by with the old access would have.
  private var verdictOnOtherAccess: Verdict {
    guard !hasSeenOwner else { return .barred }
    return looksWithoutLock >= Self.looksIfFree ? .free : .alive
  }

  /// Forgets the looks, because the database could not be asked.
  package mutating func restart() {
    (last, looks, looksWithoutLock) = (nil, 0, 0)
  }
}

/// How long nothing has come over a link.
///
/// It counts beats of its own loop, so that a loop that was held up does not blame the other end.
package struct LinkSilence: Sendable {
  /// How often each end says that it lives.
  package static let pause = Duration.seconds(1)
  /// So many beats without a word mean that the other end is frozen, or cut off.
  private static let most = 5

  private var beats = 0

  /// Notes that something came.
  mutating func end() { beats = 0 }

  /// Notes a beat of this end; true if the silence is too long.
  mutating func isTooLong() -> Bool {
    beats += 1
    return beats > Self.most
  }
}
