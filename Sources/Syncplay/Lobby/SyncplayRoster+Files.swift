import GroupSessions
import Playback
import Vocabulary
import Wire

// Files, and the item that the room plays.
//
// A room plays one item, under any file names: Syncplay's clients compare names and lengths only to
// warn. So each client has the session's item current, from any file. The first file makes the
// item. A later file makes a new item only when the room goes on to another film: not if a user
// opens something while the others watch, and not if a late joiner has another edition.

extension SyncplayRoster {
  mutating func open(_ file: SyncplayFile?, by id: PeerID) {
    guard let user = peers[id]?.user else { return }
    let file = rooms[user.room]?.sharing(file) ?? nil
    peers[id]?.user?.file = file
    rooms[user.room]?.noteFile(file != nil, hadFile: user.file != nil)
    peers[id]?.user?.loading = file == nil ? .done : user.loading.opening(at: now)
    spread(
      .user(user.name, room: user.room, file: file?.text ?? .noFile),
      to: audience(of: user.room))
    guard let file else {
      peers[id]?.arrival = nil
      return
    }
    if let isSwitch = rooms[user.room]?.isSwitch(to: file, from: user.file) {
      peers[id]?.user?.hasSwitched = isSwitch
    }
    if makesItem(id), let media = media(of: file) {
      propose(media, by: id)
    } else if rooms[user.room]?.timeline != nil, file != user.file {
      peers[id]?.arrival = Arrival(since: now)
    }
    tellLength(of: file, by: id)
    answerReady(in: user.room)
  }

  /// Reports the length of the item, which a playlist entry lacks.
  private mutating func tellLength(of file: SyncplayFile, by id: PeerID) {
    guard let room = room(of: id), let timeline = room.timeline, timeline.duration == nil,
      file.name == SyncplayRoom.name(of: room.item), let duration = file.duration,
      let participant = peers[id]?.membership.participant,
      room.session?.playback.participants[participant]?.item == room.item
    else { return }
    askSession(.playback(nil, .transition(to: room.item, duration: duration)), as: id)
  }

  /// Returns the item for a file.
  func media(of file: SyncplayFile) -> MediaItem? {
    let item = SyncplayRoom.item(ofFile: file.name)
    guard !file.name.isEmpty, item.text.utf8.count <= limits.itemBytes else { return nil }
    let duration = file.duration.flatMap { $0 >= Timeline.lengthTolerance ? $0 : nil }
    return MediaItem(
      item: item, title: title(file.name), url: file.name, size: file.size, duration: duration)
  }

  /// Proposes an item as the room's current one.
  mutating func propose(_ media: MediaItem, by id: PeerID) {
    guard let name = peers[id]?.user?.room, let session = rooms[name]?.session else { return }
    var activity = session.activity
    activity.media = media
    activity.metadata.title = media.title ?? activity.metadata.title
    peers[id]?.arrival = nil
    for member in rooms[name]?.members ?? [] { peers[member]?.user?.hasSwitched = false }
    askSession(.setActivity(nil, activity, ifRevision: nil), as: id)
  }

  /// Whether the file that a peer has open becomes the room's item.
  func makesItem(_ id: PeerID) -> Bool {
    guard let room = room(of: id), mayControl(id), let file = peers[id]?.user?.file else {
      return false
    }
    return room.adopts(file, of: room.members.compactMap { peers[$0]?.user }, at: now)
  }

  /// Makes the room's item current for a peer.
  ///
  /// - Parameter timing: the position to use if the item is current for nobody yet: that of the
  ///   clock that a room without a file plays.
  mutating func attach(_ id: PeerID, _ timing: ProposedTiming? = nil) {
    guard let participant = peers[id]?.membership.participant, let room = room(of: id),
      let session = room.session,
      session.playback.participants[participant]?.item != room.item
    else { return }
    let file = peers[id]?.user?.file
    let isOwn = file?.name == SyncplayRoom.name(of: room.item)
    ask(
      .playback(
        nil,
        .transition(to: room.item, proposing: timing, duration: isOwn ? file?.duration : nil)),
      as: id)
  }

  /// Makes the first open file the room's item if the room has none.
  mutating func adopt(_ name: String) {
    guard let room = rooms[name], let session = room.session, session.activity.media == nil else {
      return
    }
    for member in room.members where peers[member]?.membership.participant != nil {
      guard let file = peers[member]?.user?.file, makesItem(member), let media = media(of: file)
      else { continue }
      return propose(media, by: member)
    }
  }

  // MARK: Loading

  /// Records whose files the group waits for, because the room goes on from an item to another.
  mutating func awaitFiles(in room: SyncplayRoom, after old: ItemID) {
    // Clients notice the end of their file later than the group.
    let isOver =
      if case .ended? = room.session?.playback.timelines[old]?.phase { true } else { false }
    for member in room.members {
      guard let peer = peers[member], let user = peer.user, let file = user.file else { continue }
      let isOpen = file.name == SyncplayRoom.name(of: room.item)
      let isStopped = isOver || peer.place?.isPaused != false
      peers[member]?.user?.loading = isOpen ? .done : user.loading.awaited(isStopped: isStopped)
    }
  }

  /// Reports a client as ready if its player carries out a start by now.
  mutating func settle(_ id: PeerID) {
    guard let user = peers[id]?.user, let due = user.settles, due <= now else { return }
    peers[id]?.user?.loading = .done
    answerReady(in: user.room)
  }

  /// Whether a start waits for somebody to load.
  func isHeldUp(_ room: SyncplayRoom) -> Bool {
    room.isHeldUp { device in
      clientDirectory.peer(on: device).flatMap { peers[$0]?.readySeq }
    }
  }

  /// Reports the clients that have loaded the item as ready, if the group asks.
  mutating func answerReady(in name: String) {
    guard let room = rooms[name], let timeline = room.timeline, case .preparing = timeline.phase
    else { return }
    for member in room.members { answerReady(member, to: timeline.seq, in: room) }
  }

  /// Reports a peer as ready, unless it is reported already or still loading.
  mutating func answerReady(_ id: PeerID, to seq: Int, in room: SyncplayRoom) {
    guard let peer = peers[id], peer.user?.hasLoaded == true, peer.readySeq != seq,
      let participant = peer.membership.participant,
      room.session?.playback.participants[participant]?.item == room.item
    else { return }
    peers[id]?.readySeq = seq
    askSession(.playback(nil, .ready(room.item, seq: seq)), as: id)
  }
}
