import GroupSessions
import JSON
import Playback
import Vocabulary

/// A room: mirrors of a group and its session, updated by the events that the room's keeper
/// receives, and the state that only Syncplay has.
///
/// All clients in the room share the mirrors.
struct SyncplayRoom: Equatable, Sendable {
  let name: String
  let group: GroupID
  let managed: ManagedRoom?
  var keeper: RoomKeeper
  /// The clients in the room, in the order of their arrival.
  private(set) var members: [PeerID] = []
  /// The number of clients with an open file; counted, because checking all clients at each arrival
  /// would take quadratic time.
  private var openFiles = 0
  var people: Group?
  /// The live session, even if the keeper has not joined it yet.
  var live: SessionID?
  private(set) var session: GroupSession?
  /// The room's position; `nil` until the item is current for somebody.
  private(set) var standing: Standing?
  /// The file that somebody opened last; clients that open the same file share its texts.
  private var lastFile: SyncplayFile?
  /// The users in the room who use other clients than Syncplay's.
  var guests: SortedMap<DeviceID, SyncplayGuest> = [:]
  /// The name of the user who moved the room last; `nil` in a fresh room.
  var setBy: String?
  var playlist = RoomPlaylist()
  /// The rate that was announced last.
  var announcedRate = Rate.normal
  /// When the empty room closes; `nil` while it is occupied, or if it is kept.
  var closes: Instant?

  init(name: String, group: GroupID, keeper device: DeviceID) {
    self.name = name
    self.group = group
    managed = ManagedRoom(name)
    keeper = RoomKeeper(device: device)
  }

  /// The current item of everybody here: the activity's, or a clock until a file is opened.
  var item: ItemID { session?.activity.media?.item ?? Self.clock }

  /// The timeline of the room's item; see ``standing``.
  var timeline: Timeline? { session?.playback.timelines[item] }

  /// Whether the room has neither clients nor guests.
  var isEmpty: Bool { members.isEmpty && guests.isEmpty }

  /// When the room's next deadline is.
  var nextDeadline: Instant? { Instant.earlier(closes, keeper.nextDeadline) }

  /// The item of a room in which no file was opened.
  static let clock = ItemID("syncplay:clock")
  /// The prefix of items made from opened files, which distinguishes them from playlist entries.
  private static let fileMark = "syncplay:file/"

  /// The item of a file that a user opened.
  static func item(ofFile name: String) -> ItemID { ItemID(fileMark + name) }

  /// The name of an item's file or entry.
  static func name(of item: ItemID) -> String {
    item.text.hasPrefix(fileMark) ? String(item.text.dropFirst(fileMark.count)) : item.text
  }

  /// The queue's entries that are in the playlist; files opened by hand are not.
  var entries: [QueueEntry] {
    session?.queue.entries.filter {
      $0.id != playlist.hidden && !$0.media.item.text.hasPrefix(Self.fileMark)
    } ?? []
  }

  /// The names of ``entries``, as clients are told them.
  var listedFiles: [String] { entries.map { Self.name(of: $0.media.item) } }

  /// The index of the current entry in ``entries``.
  ///
  /// If a file opened by hand is current, it is the index of the entry of the same name, because
  /// otherwise people would see the same film start again.
  var currentIndex: Int? {
    guard let current = session?.queue.current else { return nil }
    if let index = entries.firstIndex(where: { $0.id == current }) { return index }
    return openedFile.flatMap { name in entries.firstIndex { $0.media.item.text == name } }
  }

  /// The name of the current file if a user opened it by hand; `nil` if an entry is current.
  var openedFile: String? {
    item.text.hasPrefix(Self.fileMark) ? Self.name(of: item) : nil
  }
}

extension SyncplayRoom {
  /// Mirrors another session, or none.
  mutating func mirror(_ session: GroupSession?) {
    if session?.id != self.session?.id { playlist.forgetHidden() }
    self.session = session
    standing = timeline.map(Standing.init)
  }

  /// Whether any client here has a file open.
  var hasFiles: Bool { openFiles > 0 }

  /// Adds a client.
  mutating func enter(_ id: PeerID, hasFile: Bool) {
    members.makeRoom()
    members.append(id)
    if hasFile { openFiles += 1 }
  }

  /// Removes a client.
  mutating func leave(_ id: PeerID, hadFile: Bool) {
    guard let place = members.firstIndex(of: id) else { return }
    members.remove(at: place)
    if hadFile { openFiles -= 1 }
  }

  /// Records that a client opened or closed a file.
  mutating func noteFile(_ hasFile: Bool, hadFile: Bool) {
    openFiles += (hasFile ? 1 : 0) - (hadFile ? 1 : 0)
  }

  /// Returns the file, sharing the texts of the last opened file if they are equal.
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
    /// The name of the user who moved the room last.
    let setBy: String?
    let hasKeeper: Bool
  }

  /// Returns the part that each State needs.
  ///
  /// The method is mutating, although it changes nothing, so that it reads the room in place: a
  /// getter behind an optional copies the whole room first.
  mutating func look() -> View {
    View(standing: standing, setBy: setBy, hasKeeper: keeper.peer != nil)
  }

  /// The room's position at an instant, in seconds.
  func place(at now: Instant) -> Double { standing?.place(at: now) ?? 0 }

  /// Whether the room is paused, as clients are told.
  var isPaused: Bool { standing?.isPaused ?? true }

  /// The room's rate.
  var rate: Rate { standing?.rate ?? .normal }
}

/// A user in a room with another client than Syncplay's, as Syncplay's clients were last told.
struct SyncplayGuest: Equatable, Sendable {
  let name: String
  /// The film that is current for them; `nil` if there is none.
  var film: Film?
  /// `nil` if they never set it, or the server does not allow readiness.
  var isReady: Bool?
  /// Whether they are a host in a managed room.
  var isOperator = false

  /// The item that is current for a guest, who has no file.
  struct Film: Equatable, Sendable {
    let item: ItemID
    /// The size of the file from which it was shared, because that of a guest's own copy is unknown
    /// here; `nil` if their copy has another length, and is another file.
    let size: FileSize?
    /// The length of their copy; 0 if it is unknown.
    let length: Duration

    /// The film in the protocol's form of a file.
    func text(nameCodePoints: Int) -> JSONText {
      var writer = JSONWriter(capacity: 128)
      writer.object { writer in
        writer.field("name", SyncplayRoom.name(of: item).truncated(toCodePoints: nameCodePoints))
        writer.field("duration", length.inSeconds)
        switch size {
        case .bytes(let count)?: writer.field("size", count)
        case .hashed(let digits)?: writer.field("size", digits)
        case nil: writer.field("size", 0)
        }
      }
      return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
    }
  }
}
