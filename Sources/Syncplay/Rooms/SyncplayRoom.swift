import GroupSessions
import Playback
import Vocabulary

/// One room: a group with its session, as its keeper hears of them, and what Syncplay alone knows.
///
/// The mirrors are those of every client, evolved by the same events; there is one for all who
/// are in the room by Syncplay, whatever their number.
struct SyncplayRoom: Equatable, Sendable {
  let name: String
  let group: GroupID
  let managed: ManagedRoom?
  /// The peer that holds the room for the dialect; `nil` until the shell has given one.
  var keeper: PeerID?
  var keeperMembership: Membership
  /// Those who are here by Syncplay, in the order in which they came.
  var members: [PeerID] = []
  var people: Group?
  /// The session that there is, whether or not the keeper is in it yet.
  var live: SessionID?
  var session: GroupSession?
  /// How those are called who are here by other means.
  var guests: SortedMap<DeviceID, String> = [:]
  /// Who last moved the room; nobody in a fresh one.
  var setBy: String?
  var playlist: [String] = []
  var playlistBy: String?
  var index: Int?
  var indexBy: String?
  /// The entry that was taken out of the list while it is on.
  var hidden: EntryID?
  /// A change of the list that is under way.
  var replacement: Replacement?
  /// The rate that was announced, if it is not the normal one.
  var announcedRate = Rate.normal
  /// When it goes, since nobody is here.
  var closes: Instant?
  /// When the keeper has to say something, so as not to be taken for gone.
  var nextPing: Instant?

  init(name: String, group: GroupID, keeper device: DeviceID) {
    self.name = name
    self.group = group
    managed = ManagedRoom(name)
    keeperMembership = Membership(device: device)
  }

  /// What everybody here has current: the activity's item, or, before there is a file, a clock
  /// without one.
  var item: ItemID { session?.activity.media?.item ?? Self.clock }

  /// Where the room stands; `nil` until somebody has the item current.
  var timeline: Timeline? { session?.playback.timelines[item] }

  /// When its keeper has something to do.
  var nextDeadline: Instant? { Instant.earlier(closes, nextPing) }

  /// What a room without a file plays.
  static let clock = ItemID("syncplay:clock")
  /// Begins the items of files that were opened, so that they are told from a playlist's entries.
  private static let openedFile = "syncplay:file/"

  /// The item of a file that somebody opened.
  static func item(ofFile name: String) -> ItemID { ItemID(openedFile + name) }

  /// The name of a file or entry that an item is of.
  static func name(of item: ItemID) -> String {
    item.text.hasPrefix(openedFile) ? String(item.text.dropFirst(openedFile.count)) : item.text
  }

  /// The queue's entries that stand in the playlist: not those that only a file opened by hand made.
  var entries: [QueueEntry] {
    session?.queue.entries.filter {
      $0.id != hidden && !$0.media.item.text.hasPrefix(Self.openedFile)
    } ?? []
  }

  /// Which of ``entries`` is on.
  var currentIndex: Int? {
    guard let current = session?.queue.current else { return nil }
    return entries.firstIndex { $0.id == current }
  }
}

extension SyncplayRoom {
  /// Where the room stands at an instant, in seconds.
  ///
  /// While a start lies ahead this goes on before it, as clients reckon with the way of the line.
  func place(at now: Instant) -> Double {
    guard let timeline else { return 0 }
    guard case .playing(let anchor) = timeline.phase else {
      return timeline.position(at: now).seconds
    }
    let place =
      now < anchor.at && anchor.approach == nil
      ? anchor.mediaTime - anchor.rate.media(in: anchor.at - now) : timeline.position(at: now)
    return timeline.clamped(place).seconds
  }

  /// Whether the room stands still, as clients are told.
  var isPaused: Bool {
    guard let timeline else { return true }
    return if case .playing = timeline.phase { false } else { true }
  }

  /// How fast it runs.
  var rate: Rate { timeline?.rate ?? .normal }
}
