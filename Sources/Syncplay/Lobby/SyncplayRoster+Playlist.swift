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
    let isPending = room.playlist.isChanging || room.playlist.wantedList != nil
    guard isPending || files != room.playlist.files else {
      return send(.set(.playlist(files, by: user.name)), to: room.members)
    }
    rooms[user.room]?.playlist.wantedList = RoomPlaylist.WantedList(files: files, peer: id)
    carryOutWishes(in: user.room)
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
    let files = room.playlist.list(of: id)
    guard mayControl(id), let index, files.indices.contains(index) else {
      return send(.set(.playlistIndex(room.playlist.index, by: room.name)), to: id)
    }
    rooms[user.room]?.playlist.wantedEntry = RoomPlaylist.WantedEntry(
      file: files[index], index: index, peer: id)
    carryOutWishes(in: user.room)
  }

  /// Fills a new session's queue with the list that was made before.
  ///
  /// A queue that has entries already stays as it is, and nothing is selected in it that a client
  /// selected in the list before.
  mutating func fillQueue(of name: String) {
    guard let room = rooms[name], room.session != nil else { return }
    guard room.entries.isEmpty else {
      rooms[name]?.playlist.wantedEntry = nil
      return
    }
    let files = room.playlist.files
    let list = files.map { PlaylistEdit.media($0, limits: limits) }
    guard !list.isEmpty, let keeper = room.keeper.peer,
      let request = ask(.queue(nil, .insert(list, at: .end)), asKeeperOf: name)
    else { return }
    let wanted = RoomPlaylist.WantedList(files: files, peer: keeper)
    rooms[name]?.playlist.begin(RoomPlaylist.Change(list: wanted, request: request))
  }

  /// Tells a room how its list changed, unless a change is still in progress.
  mutating func tellPlaylist(in name: String, by setter: String?) {
    guard let room = rooms[name], room.session != nil else { return }
    let news = rooms[name]?.playlist.follow(
      room.listedFiles, current: room.currentIndex, by: setter, server: options.serverName)
    for piece in news ?? [] { send(.set(piece), to: room.members) }
  }

  /// Forgets what a client that has left the room wants, and tells the room its list though that
  /// client hears no answer.
  mutating func abandonPlaylistChange(of id: PeerID, in name: String) {
    rooms[name]?.playlist.forgetWishes(of: id)
    guard rooms[name]?.playlist.abandonChange(of: id) == true else { return }
    carryOutWishes(in: name)
  }

  /// Records that a request was answered; if it was the last one of a change, the room is told.
  mutating func finishPlaylistChange(_ request: RequestID, of id: PeerID, in name: String) {
    guard rooms[name]?.playlist.endChange(request, of: id) == true else { return }
    carryOutWishes(in: name)
  }
}

// MARK: Wishes

// Clients send a list and the index of its current entry in one breath, but the journal takes time
// to store the list. So the newest list and the newest entry are held until the change before them
// is over, and until their client takes part in the session.

extension SyncplayRoster {
  /// Carries out what clients want of a room's list, and tells the room how the list changed.
  ///
  /// While a change is in progress it does nothing, because the end of the change calls it again.
  mutating func carryOutWishes(in name: String) {
    guard let room = rooms[name], !room.playlist.isChanging else { return }
    if let list = room.playlist.wantedList, room.session == nil || takesPart(list.peer) {
      rooms[name]?.playlist.wantedList = nil
      change(name, to: list)
    }
    guard rooms[name]?.playlist.isChanging == false else { return }
    tellPlaylist(in: name, by: nil)
    if let entry = room.playlist.wantedEntry, room.session != nil, takesPart(entry.peer) {
      rooms[name]?.playlist.wantedEntry = nil
      select(entry, in: name)
    }
  }

  /// Whether a client has joined its room's session.
  private func takesPart(_ id: PeerID) -> Bool { peers[id]?.membership.participant != nil }

  /// Begins to turn a room's list into the one that a client sent.
  private mutating func change(_ name: String, to list: RoomPlaylist.WantedList) {
    guard let room = rooms[name], let user = peers[list.peer]?.user else { return }
    guard let queue = room.session?.queue else {
      // The list is added to the queue once there is a session.
      rooms[name]?.playlist.keep(list.files, by: user.name)
      return send(.set(.playlist(list.files, by: user.name)), to: room.members)
    }
    rooms[name]?.playlist.noteChange(by: user.name)
    var edit = PlaylistEdit(of: room.entries, current: queue.current, limits: limits)
    edit.replace(
      with: list.files, all: queue.entries.map(\.id), nextNumber: queue.nextNumber,
      openedFile: room.openedFile)
    rooms[name]?.playlist.hide(edit.hidden)
    var last: RequestID?
    for command in edit.commands { last = ask(.queue(nil, command), as: list.peer) }
    // Clients are told about the change as a whole, once all requests are answered.
    if let last {
      rooms[name]?.playlist.begin(RoomPlaylist.Change(list: list, request: last))
    }
  }

  /// Makes the entry that a client selected the current one, if it is still in the list.
  private mutating func select(_ entry: RoomPlaylist.WantedEntry, in name: String) {
    guard let room = rooms[name], let user = peers[entry.peer]?.user else { return }
    guard let index = entry.index(in: room.listedFiles) else {
      return send(.set(.playlistIndex(room.playlist.index, by: room.name)), to: entry.peer)
    }
    // At the end of a film, every client announces the next entry, which may be current already.
    guard index != room.currentIndex else {
      let selector = room.playlist.selectedBy ?? user.name
      return send(.set(.playlistIndex(index, by: selector)), to: entry.peer)
    }
    rooms[name]?.playlist.noteSelection(by: user.name)
    ask(.queue(nil, .select(room.entries[index].id)), as: entry.peer)
  }
}
