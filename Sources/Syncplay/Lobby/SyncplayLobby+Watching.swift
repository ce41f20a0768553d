import GroupSessions
import Playback
import Vocabulary
import Wire

// What a room watches: files and the playlist.
//
// A room plays one thing, whatever names the files of its people have; Syncplay's clients compare
// names and lengths only to warn. So all clients have the session's item current, from whatever
// file. The first file makes the item. A later file makes a new one only if people go on to another
// film: not if one person opens something while the others watch, and not if a latecomer has
// another edition. The playlist is the session's queue.

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
    if let media = rooms[user.room]?.session?.activity.media {
      peers[id]?.user?.noteSwitch(to: file, from: user.file, while: media)
    }
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
    return room.isOver(at: now)
      || file.isMajority(among: room.members.compactMap { peers[$0]?.user })
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

  /// Makes the first file that anybody has open what the room plays, where nothing was proposed
  /// yet.
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

// MARK: The playlist

extension SyncplayLobby {
  /// Tells a room's list and what of it is on.
  mutating func sendPlaylist(of room: SyncplayRoom, to audience: [PeerID]) {
    send(.set(.playlist(room.playlist, by: room.playlistBy)), to: audience)
    send(.set(.playlistIndex(room.index, by: room.indexBy)), to: audience)
  }

  mutating func replacePlaylist(with files: [String], by id: PeerID) {
    guard let user = peers[id]?.user, let room = rooms[user.room] else { return }
    guard mayControl(id), isAllowed(files, user.name) else {
      return send(.set(.playlist(room.playlist, by: room.name)), to: id)
    }
    guard files != room.playlist else {
      return send(.set(.playlist(files, by: user.name)), to: room.members)
    }
    rooms[user.room]?.playlistBy = user.name
    guard let queue = room.session?.queue else {
      // Nothing is on yet; the session's queue is filled when there is one.
      rooms[user.room]?.playlist = files
      return send(.set(.playlist(files, by: user.name)), to: room.members)
    }
    var edit = PlaylistEdit(of: room.entries, current: queue.current, limits: limits)
    edit.replace(
      with: files, all: queue.entries.map(\.id), nextNumber: queue.nextNumber,
      openedFile: room.openedFile)
    rooms[user.room]?.hidden = edit.hidden ?? room.hidden
    var last: RequestID?
    for command in edit.commands { last = askSession(.queue(nil, command), as: id) ?? last }
    // Told as one change, once all of it has happened.
    if let last { rooms[user.room]?.replacement = Replacement(peer: id, request: last) }
    if edit.commands.isEmpty { tellPlaylist(in: user.room, by: user.name) }
  }

  /// Whether clients would take a list, by number, length and line.
  private mutating func isAllowed(_ files: [String], _ name: String) -> Bool {
    guard files.count <= SyncplayLimits.playlistItems,
      files.reduce(0, { $0 + $1.codePointCount }) <= SyncplayLimits.playlistCodePoints,
      files.allSatisfy({ !$0.isEmpty && $0.utf8.count <= limits.itemBytes })
    else { return false }
    let line = SyncplayServerMessage.set(.playlist(files, by: name))
    return encoder.length(of: line) <= SyncplayLimits.lineBytes
  }

  mutating func select(_ index: Int?, by id: PeerID) {
    guard let user = peers[id]?.user, let room = rooms[user.room] else { return }
    let entries = room.entries
    guard mayControl(id), let index, entries.indices.contains(index) else {
      return send(.set(.playlistIndex(room.index, by: room.name)), to: id)
    }
    // Everybody's client says at a film's end that the next one is on, once it is.
    guard index != room.currentIndex else {
      return send(.set(.playlistIndex(index, by: room.indexBy ?? user.name)), to: id)
    }
    rooms[user.room]?.indexBy = user.name
    askSession(.queue(nil, .select(entries[index].id)), as: id)
  }

  /// Fills a session's queue with the list that people had made before there was one.
  mutating func fillQueue(of name: String) {
    guard let room = rooms[name], room.entries.isEmpty, !room.playlist.isEmpty,
      room.session != nil
    else { return }
    let list = room.playlist.map { PlaylistEdit.media($0, limits: limits) }
    ask(.queue(nil, .insert(list, at: .end)), asKeeperOf: name)
  }

  /// Tells a room what of its list changed, unless more is on its way.
  mutating func tellPlaylist(in name: String, by setter: String?) {
    guard let room = rooms[name], room.session != nil, room.replacement == nil else { return }
    let files = room.entries.map { SyncplayRoom.name(of: $0.media.item) }
    if files != room.playlist {
      rooms[name]?.playlist = files
      rooms[name]?.playlistBy = setter ?? room.playlistBy
      send(
        .set(.playlist(files, by: setter ?? room.playlistBy ?? options.serverName)),
        to: room.members)
    }
    guard let index = room.currentIndex, index != room.index || files != room.playlist else {
      if room.currentIndex == nil { rooms[name]?.index = nil }
      return
    }
    rooms[name]?.index = index
    let selector = room.indexBy ?? setter ?? options.serverName
    send(.set(.playlistIndex(index, by: selector)), to: room.members)
  }

  /// A request was answered: if it was the last of a list's change, all of it has happened.
  mutating func finishReplacement(_ request: RequestID, of id: PeerID) {
    guard let name = peers[id]?.user?.room,
      rooms[name]?.replacement == Replacement(peer: id, request: request)
    else { return }
    rooms[name]?.replacement = nil
    tellPlaylist(in: name, by: peers[id]?.user?.name)
  }
}

/// A list's change that is under way: who made it, and what was asked last.
struct Replacement: Equatable, Sendable {
  let peer: PeerID
  let request: RequestID
}
