import GroupSessions
import Playback
import Vocabulary
import Wire

// Files, and what the room plays.
//
// A room plays one thing, whatever the files are called in which people have it: clients of
// Syncplay compare names and lengths only to warn. So each of them has the session's item current,
// whether from this file or another. The first file makes the item. A later one makes a new one
// only where people go on to another film: not if somebody opens something while the others watch,
// and not if those who come late have another edition.

extension SyncplayLobby {
  mutating func open(_ file: SyncplayFile?, by id: PeerID) {
    guard let user = peers[id]?.user else { return }
    let file = rooms[user.room]?.sharing(file) ?? nil
    peers[id]?.user?.file = file
    rooms[user.room]?.noteFile(file != nil, hadFile: user.file != nil)
    peers[id]?.user?.hasLoaded = true
    spread(
      .user(user.name, room: user.room, file: file?.text ?? .noFile),
      to: audience(of: user.room))
    guard let file else {
      peers[id]?.arrival = nil
      return
    }
    noteSwitch(to: file, from: user.file, by: id)
    if makesItem(id), let media = media(of: file) {
      propose(media, by: id)
    } else if rooms[user.room]?.timeline != nil, file != user.file {
      peers[id]?.arrival = Arrival(since: now)
    }
    tellLength(of: file, by: id)
    answerReady(in: user.room)
  }

  /// Says how long what is on is, which its entry in a playlist does not say.
  private mutating func tellLength(of file: SyncplayFile, by id: PeerID) {
    guard let room = room(of: id), let timeline = room.timeline, timeline.duration == nil,
      file.name == SyncplayRoom.name(of: room.item), let duration = file.duration,
      let participant = peers[id]?.membership.participant,
      room.session?.playback.participants[participant]?.item == room.item
    else { return }
    askSession(.playback(nil, .transition(to: room.item, duration: duration)), as: id)
  }

  /// A file as an item.
  func media(of file: SyncplayFile) -> MediaItem? {
    let item = SyncplayRoom.item(ofFile: file.name)
    guard !file.name.isEmpty, item.text.utf8.count <= limits.itemBytes else { return nil }
    return MediaItem(
      item: item, title: title(file.name), url: file.name, duration: file.duration)
  }

  /// Makes an item what everybody watches.
  mutating func propose(_ media: MediaItem, by id: PeerID) {
    guard let name = peers[id]?.user?.room, let session = rooms[name]?.session else { return }
    var activity = session.activity
    activity.media = media
    activity.metadata.title = media.title ?? activity.metadata.title
    peers[id]?.arrival = nil
    for member in rooms[name]?.members ?? [] { peers[member]?.user?.hasSwitched = false }
    askSession(.setActivity(nil, activity, ifRevision: nil), as: id)
  }

  /// Whether what a peer has open is to be what the room plays.
  func makesItem(_ id: PeerID) -> Bool {
    guard let room = room(of: id), let session = room.session, mayControl(id),
      let file = peers[id]?.user?.file
    else { return false }
    guard let media = session.activity.media else { return true }
    guard file.name != SyncplayRoom.name(of: media.item) else { return false }
    return isOver(room) || isMajority(file, in: room)
  }

  /// Whether what the room plays is at its end, as clients see it: nobody is taken out of anything.
  private func isOver(_ room: SyncplayRoom) -> Bool {
    guard let timeline = room.timeline else { return true }
    if case .ended = timeline.phase { return true }
    guard let duration = timeline.duration, duration > .seconds(10) else { return false }
    return timeline.position(at: now) + .seconds(5) >= .zero + duration
  }

  /// Notes that somebody put away what the room plays for something else.
  private mutating func noteSwitch(
    to file: SyncplayFile, from old: SyncplayFile?, by id: PeerID
  ) {
    guard let media = room(of: id)?.session?.activity.media else { return }
    let name = SyncplayRoom.name(of: media.item)
    guard let old, file.name != old.name, file.name != name else {
      if file.name == name { peers[id]?.user?.hasSwitched = false }
      return
    }
    let watched = old.name == name || old.hasLength(media.duration)
    peers[id]?.user?.hasSwitched = watched || !file.hasLength(media.duration)
  }

  /// Whether more than half of those with files went over from what the room plays to this one.
  private func isMajority(_ file: SyncplayFile, in room: SyncplayRoom) -> Bool {
    let users = room.members.compactMap { peers[$0]?.user }
    let open = users.filter { $0.file != nil }
    let agreeing = open.filter { user in
      guard user.hasSwitched, let other = user.file else { return false }
      return other.name == file.name || other.hasLength(file.duration)
    }
    return agreeing.count * 2 > open.count
  }

  /// Has a peer make current what the room plays.
  ///
  /// - Parameter timing: where it stands if nobody had it yet: a room without a file had a clock.
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

  /// Makes the first file that anybody has open what the room plays, where nothing was proposed yet.
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
}
