import GroupSessions
import JSON
import Playback
import Vocabulary

/// A room: mirrors of a group and its session, evolved by the events that the room's keeper
/// receives, and what Syncplay alone knows.
///
/// All clients in the room share the mirrors.
struct SyncplayRoom: Equatable, Sendable {
  let name: String
  let group: GroupID
  let managed: ManagedRoom?
  var keeper: RoomKeeper
  /// The clients in the room, in the order in which they came.
  private(set) var members: [PeerID] = []
  /// How many of them have a file open; counted, because asking all of them at each arrival would
  /// take the square of their number.
  private var openFiles = 0
  var people: Group?
  /// The live session, whether or not the keeper has joined it yet.
  var live: SessionID?
  private(set) var session: GroupSession?
  /// The room's position; `nil` until somebody has the item current.
  private(set) var standing: Standing?
  /// The file that somebody opened last; clients that open the same file share its texts.
  private var lastFile: SyncplayFile?
  /// The people in the room who use other clients.
  var guests: SortedMap<DeviceID, SyncplayGuest> = [:]
  /// The name of whoever moved the room last; `nil` in a fresh room.
  var setBy: String?
  var playlist = RoomPlaylist()
  /// The rate that was announced, if it is not the normal one.
  var announcedRate = Rate.normal
  /// When the empty room closes; `nil` while somebody is here, or if it is kept.
  var closes: Instant?

  init(name: String, group: GroupID, keeper device: DeviceID) {
    self.name = name
    self.group = group
    managed = ManagedRoom(name)
    keeper = RoomKeeper(device: device)
  }

  /// The item of everybody here: the activity's, or a clock before there is a file.
  var item: ItemID { session?.activity.media?.item ?? Self.clock }

  /// The timeline of the room's item; see ``standing``.
  var timeline: Timeline? { session?.playback.timelines[item] }

  /// Whether neither clients nor guests are here.
  var isEmpty: Bool { members.isEmpty && guests.isEmpty }

  /// When its keeper has something to do.
  var nextDeadline: Instant? { Instant.earlier(closes, keeper.nextPing) }

  /// The item of a room without a file.
  static let clock = ItemID("syncplay:clock")
  /// The prefix of items made from opened files, which tells them from a playlist's entries.
  private static let fileMark = "syncplay:file/"

  /// The item of a file that somebody opened.
  static func item(ofFile name: String) -> ItemID { ItemID(fileMark + name) }

  /// The name of an item's file or entry.
  static func name(of item: ItemID) -> String {
    item.text.hasPrefix(fileMark) ? String(item.text.dropFirst(fileMark.count)) : item.text
  }

  /// The queue's entries that are in the playlist; those of files opened by hand are not.
  var entries: [QueueEntry] {
    session?.queue.entries.filter {
      $0.id != playlist.hidden && !$0.media.item.text.hasPrefix(Self.fileMark)
    } ?? []
  }

  /// Which of ``entries`` is on.
  ///
  /// If a file opened by hand is on, it is the entry of the same name,
  /// because people would see the same film begin again.
  var currentIndex: Int? {
    guard let current = session?.queue.current else { return nil }
    if let index = entries.firstIndex(where: { $0.id == current }) { return index }
    return openedFile.flatMap { name in entries.firstIndex { $0.media.item.text == name } }
  }

  /// The name of the file that is on because somebody opened it; `nil` if an entry is on.
  var openedFile: String? {
    item.text.hasPrefix(Self.fileMark) ? Self.name(of: item) : nil
  }
}

extension SyncplayRoom {
  /// Mirrors another session, or none.
  mutating func mirror(_ session: GroupSession?) {
    self.session = session
    standing = timeline.map(Standing.init)
  }

  /// Whether any client here has a file open.
  var hasFiles: Bool { openFiles > 0 }

  /// A client comes.
  mutating func enter(_ id: PeerID, hasFile: Bool) {
    members.makeRoom()
    members.append(id)
    if hasFile { openFiles += 1 }
  }

  /// A client leaves.
  mutating func leave(_ id: PeerID, hadFile: Bool) {
    guard let place = members.firstIndex(of: id) else { return }
    members.remove(at: place)
    if hadFile { openFiles -= 1 }
  }

  /// A client here opened a file, or closed one.
  mutating func noteFile(_ hasFile: Bool, hadFile: Bool) {
    openFiles += (hasFile ? 1 : 0) - (hadFile ? 1 : 0)
  }

  /// The same file, sharing its texts with the one opened last if they are equal.
  mutating func sharing(_ file: SyncplayFile?) -> SyncplayFile? {
    guard file != nil, file != lastFile else { return file == nil ? nil : lastFile }
    lastFile = file
    return file
  }

  /// Applies an event of the session to the mirror.
  mutating func evolve(_ event: SessionEvent, at instant: Instant) {
    session?.evolve(event, at: instant)
    standing = timeline.map(Standing.init)
  }

  /// The part of the room that each State needs.
  struct View: Sendable {
    let standing: Standing?
    /// The name of whoever moved the room last.
    let setBy: String?
    let hasKeeper: Bool
  }

  /// Takes out the part that each State needs.
  ///
  /// It is mutating, although it changes nothing, so that it reads the room in place: a getter
  /// behind an optional copies the whole room first.
  mutating func look() -> View {
    View(standing: standing, setBy: setBy, hasKeeper: keeper.peer != nil)
  }

  /// The room's position at an instant, in seconds.
  func place(at now: Instant) -> Double { standing?.place(at: now) ?? 0 }

  /// Whether the room is paused, as clients are told.
  var isPaused: Bool { standing?.isPaused ?? true }

  /// How fast it runs.
  var rate: Rate { standing?.rate ?? .normal }
}

/// Somebody in a room who uses another client than Syncplay's, as Syncplay's clients were told.
struct SyncplayGuest: Equatable, Sendable {
  let name: String
  /// What they have open, if anything.
  var film: Film?
  /// `nil` if they never said, or the server does not allow readiness.
  var isReady: Bool?
  /// Whether they are a host of a managed room.
  var isOperator = false

  /// The item of somebody who has no file.
  struct Film: Equatable, Sendable {
    let item: ItemID
    /// 0 if unknown.
    let length: Duration

    /// The film as a file of the protocol.
    func text(nameCodePoints: Int) -> JSONText {
      var writer = JSONWriter(capacity: 128)
      writer.object { writer in
        writer.field("name", SyncplayRoom.name(of: item).truncated(toCodePoints: nameCodePoints))
        writer.field("duration", length.inSeconds)
        writer.field("size", 0)
      }
      return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
    }
  }
}
