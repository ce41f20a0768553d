import GroupSessions
import Playback
import Vocabulary

/// One room: its group and session, as its keeper receives them, and what only Syncplay knows.
///
/// The mirrors evolve by the same events as those of every client; all of the room's Syncplay
/// clients share one.
struct SyncplayRoom: Equatable, Sendable {
  let name: String
  let group: GroupID
  let managed: ManagedRoom?
  /// The peer that holds the room for the dialect; `nil` until the shell has given one.
  var keeper: PeerID?
  var keeperMembership: Membership
  /// Those who are here by Syncplay, in the order in which they came.
  private(set) var members: [PeerID] = []
  /// How many of them have a file open: to ask them all at each arrival takes their square.
  private var openFiles = 0
  var people: Group?
  /// The session that there is, whether or not the keeper is in it yet.
  var live: SessionID?
  private(set) var session: GroupSession?
  /// Where the room stands; `nil` until somebody has the item current.
  private(set) var standing: Standing?
  /// The file that somebody opened last: who opens the same shares its texts.
  private var lastFile: SyncplayFile?
  /// Those who are here by other means.
  var guests: SortedMap<DeviceID, SyncplayGuest> = [:]
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

  /// All that is known of where it stands; see ``standing``.
  var timeline: Timeline? { session?.playback.timelines[item] }

  /// Whether nobody is here, by whatever means.
  var isEmpty: Bool { members.isEmpty && guests.isEmpty }

  /// When its keeper has something to do.
  var nextDeadline: Instant? { Instant.earlier(closes, nextPing) }

  /// What a room without a file plays.
  static let clock = ItemID("syncplay:clock")
  /// Begins the items of files that were opened, so that they are told from a playlist's entries.
  private static let fileMark = "syncplay:file/"

  /// The item of a file that somebody opened.
  static func item(ofFile name: String) -> ItemID { ItemID(fileMark + name) }

  /// The name of a file or entry that an item is of.
  static func name(of item: ItemID) -> String {
    item.text.hasPrefix(fileMark) ? String(item.text.dropFirst(fileMark.count)) : item.text
  }

  /// The queue's entries that stand in the playlist: not those that only a file opened by hand
  /// made.
  var entries: [QueueEntry] {
    session?.queue.entries.filter {
      $0.id != hidden && !$0.media.item.text.hasPrefix(Self.fileMark)
    } ?? []
  }

  /// Which of ``entries`` is on: also the one that is called as a file which people opened by hand,
  /// for they would see the same film begin again.
  var currentIndex: Int? {
    guard let current = session?.queue.current else { return nil }
    if let index = entries.firstIndex(where: { $0.id == current }) { return index }
    return openedFile.flatMap { name in entries.firstIndex { $0.media.item.text == name } }
  }

  /// What the file is called that is on because somebody opened it, and not by the playlist.
  var openedFile: String? {
    item.text.hasPrefix(Self.fileMark) ? Self.name(of: item) : nil
  }
}

extension SyncplayRoom {
  /// Mirrors a session from here on, or none.
  mutating func mirror(_ session: GroupSession?) {
    self.session = session
    standing = timeline.map(Standing.init)
  }

  /// Whether anybody here by Syncplay has a file open.
  var hasFiles: Bool { openFiles > 0 }

  /// Somebody comes.
  mutating func enter(_ id: PeerID, hasFile: Bool) {
    members.makeRoom()
    members.append(id)
    if hasFile { openFiles += 1 }
  }

  /// Somebody goes.
  mutating func leave(_ id: PeerID, hadFile: Bool) {
    guard let place = members.firstIndex(of: id) else { return }
    members.remove(at: place)
    if hadFile { openFiles -= 1 }
  }

  /// Somebody here opened a file, or closed one.
  mutating func noteFile(_ hasFile: Bool, hadFile: Bool) {
    openFiles += (hasFile ? 1 : 0) - (hadFile ? 1 : 0)
  }

  /// A file as it is kept: once for all who have the same.
  mutating func sharing(_ file: SyncplayFile?) -> SyncplayFile? {
    guard file != nil, file != lastFile else { return file == nil ? nil : lastFile }
    lastFile = file
    return file
  }

  /// What happened in the session happens in the mirror.
  mutating func evolve(_ event: SessionEvent, at instant: Instant) {
    session?.evolve(event, at: instant)
    standing = timeline.map(Standing.init)
  }

  /// What each State has to know of the room, taken out at once.
  struct View: Sendable {
    let standing: Standing?
    /// Who moved the room last.
    let setBy: String?
    let hasKeeper: Bool
  }

  /// What each State has to know of the room.
  ///
  /// Mutating, though it changes nothing: so it is asked of the room where that lies. For a getter
  /// behind an optional, all of the room is copied first.
  mutating func look() -> View {
    View(standing: standing, setBy: setBy, hasKeeper: keeper != nil)
  }

  /// Where the room stands at an instant, in seconds.
  func place(at now: Instant) -> Double { standing?.place(at: now) ?? 0 }

  /// Whether the room stands still, as clients are told.
  var isPaused: Bool { standing?.isPaused ?? true }

  /// How fast it runs.
  var rate: Rate { standing?.rate ?? .normal }
}

// MARK: Rules

extension SyncplayRoom {
  /// Whether what is on has ended, or is about to: then nobody is taken out of a film.
  func isOver(at now: Instant) -> Bool {
    guard let timeline else { return true }
    if case .ended = timeline.phase { return true }
    guard let duration = timeline.duration, duration > .seconds(10) else { return false }
    return timeline.position(at: now) + .seconds(5) >= .zero + duration
  }

  /// Whether the room has not played yet.
  func isAtStart(at now: Instant) -> Bool { isPaused && place(at: now) == 0 }

  /// Where the room's clock is, for the item that replaces it; `nil` before anything is on.
  func timing(at now: Instant) -> ProposedTiming? {
    guard timeline != nil else { return nil }
    return ProposedTiming(mediaTime: .seconds(place(at: now)), rate: isPaused ? nil : rate)
  }

  /// How many microseconds a place is ahead of the room's.
  func offset(of place: SyncplayClientState.Place, at now: Instant) -> Int64 {
    MediaTime.seconds(place.position - self.place(at: now)).microseconds
  }

  /// Whether a player that runs already begins so far from the room's place that people see it.
  func isVisibly(awayFrom target: MediaTime, at now: Instant) -> Bool {
    abs(target.seconds - place(at: now)) > Self.tolerableAdvance
  }

  private static let tolerableAdvance = 0.06

  /// What a participant has open, as a film; `nil` if nothing.
  func film(of participant: ParticipantID) -> SyncplayGuest.Film? {
    guard let session, let item = session.playback.participants[participant]?.item,
      item != Self.clock
    else { return nil }
    return SyncplayGuest.Film(
      item: item, length: session.playback.timelines[item]?.duration ?? .zero)
  }

  /// The participant behind a guest's name.
  func guest(named name: String) -> ParticipantID? {
    guests.first { $0.value.name == name }.flatMap { session?.participant(on: $0.key)?.id }
  }

  /// The guests that an event is about; asked before the mirror evolves, because a participant that
  /// leaves is not found after.
  ///
  /// Most events are about nobody or about one participant, so that a crowd's events are not
  /// compared with each guest.
  func guests(concernedBy event: SessionEvent) -> [DeviceID] {
    guard !guests.isEmpty else { return [] }
    let device: DeviceID?
    switch event {
    case .joined(let participant): device = participant.device
    case .left(let id, _), .roleSet(let id, _, _), .readinessSet(let id, _, _),
      .playback(.itemSelected(_, let id)):
      device = session?.participants[id]?.device
    case .activitySet, .playback(.itemAdvanced), .playback(.durationLearned),
      .playback(.timelineDropped):
      return guests.keys.map { $0 }
    default: return []
    }
    guard let device, guests[device] != nil else { return [] }
    return [device]
  }
}
