import GroupSessions
import Vocabulary
import Wire

// The playlist is the session's queue.

extension SyncplayRoster {
  /// Sends a room's list and its current entry.
  mutating func sendPlaylist(of room: SyncplayRoom, to audience: [PeerID]) {
    for news in room.playlist.news { send(.set(news), to: audience) }
  }

  mutating func replacePlaylist(with files: [String], by id: PeerID) {
    guard let user = peers[id]?.user, let room = rooms[user.room] else { return }
    guard mayControl(id), isAllowed(files, user.name) else {
      return send(.set(.playlist(room.playlist.files, by: room.name)), to: id)
    }
    guard files != room.playlist.files else {
      return send(.set(.playlist(files, by: user.name)), to: room.members)
    }
    rooms[user.room]?.playlist.noteChange(by: user.name)
    guard let queue = room.session?.queue else {
      // The list is added to the queue once there is a session.
      rooms[user.room]?.playlist.keep(files)
      return send(.set(.playlist(files, by: user.name)), to: room.members)
    }
    var edit = PlaylistEdit(of: room.entries, current: queue.current, limits: limits)
    edit.replace(
      with: files, all: queue.entries.map(\.id), nextNumber: queue.nextNumber,
      openedFile: room.openedFile)
    rooms[user.room]?.playlist.hide(edit.hidden)
    var last: RequestID?
    for command in edit.commands { last = askSession(.queue(nil, command), as: id) ?? last }
    // Clients are told about the change as a whole, once all requests are answered.
    if let last { rooms[user.room]?.playlist.begin(.init(peer: id, request: last)) }
    if edit.commands.isEmpty { tellPlaylist(in: user.room, by: user.name) }
  }

  /// Whether a list is within the clients' bounds on entries, length and line.
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
      return send(.set(.playlistIndex(room.playlist.index, by: room.name)), to: id)
    }
    // At the end of a film, every client announces the next entry, which may be current already.
    guard index != room.currentIndex else {
      return send(.set(.playlistIndex(index, by: room.playlist.selectedBy ?? user.name)), to: id)
    }
    rooms[user.room]?.playlist.noteSelection(by: user.name)
    askSession(.queue(nil, .select(entries[index].id)), as: id)
  }

  /// Fills a new session's queue with the list that was made before.
  mutating func fillQueue(of name: String) {
    guard let room = rooms[name], room.entries.isEmpty, !room.playlist.files.isEmpty,
      room.session != nil
    else { return }
    let list = room.playlist.files.map { PlaylistEdit.media($0, limits: limits) }
    ask(.queue(nil, .insert(list, at: .end)), asKeeperOf: name)
  }

  /// Tells a room how its list changed, unless a change is still in progress.
  mutating func tellPlaylist(in name: String, by setter: String?) {
    guard let room = rooms[name], room.session != nil else { return }
    let files = room.entries.map { SyncplayRoom.name(of: $0.media.item) }
    let news = rooms[name]?.playlist.follow(
      files, current: room.currentIndex, by: setter, server: options.serverName)
    for piece in news ?? [] { send(.set(piece), to: room.members) }
  }

  /// Tells a room its list though the client that changes it has left and hears no answer.
  mutating func abandonPlaylistChange(of id: PeerID, in name: String) {
    guard rooms[name]?.playlist.abandonChange(of: id) == true else { return }
    tellPlaylist(in: name, by: nil)
  }

  /// Records that a request was answered; if it was the last one of a change, the room is told.
  mutating func finishPlaylistChange(_ request: RequestID, of id: PeerID) {
    guard let user = peers[id]?.user,
      rooms[user.room]?.playlist.end(.init(peer: id, request: request)) == true
    else { return }
    tellPlaylist(in: user.room, by: user.name)
  }
}
