import GroupSessions
import Vocabulary
import Wire

/// A room's playlist as its clients were last told, and what they want of it; the session's queue
/// decides what is in it.
///
/// A list that is not empty and an entry that is current always have an author, because a client
/// takes a list or an entry of nobody for its own.
struct RoomPlaylist: Equatable, Sendable {
  /// A list that a client sent.
  struct WantedList: Equatable, Sendable {
    let files: [String]
    let peer: PeerID
  }

  /// An entry that a client selected.
  struct WantedEntry: Equatable, Sendable {
    let file: String
    /// Its index in the list that the client had.
    let index: Int
    let peer: PeerID

    /// The index of the entry in a list that may have changed since; `nil` if it is not there.
    func index(in files: [String]) -> Int? {
      if files.indices.contains(index), files[index] == file { return index }
      return files.firstIndex(of: file)
    }
  }

  /// A change that takes several requests to the coordinator, by its list and the last request.
  struct Change: Equatable, Sendable {
    let list: WantedList
    let request: RequestID
  }

  private(set) var files: [String] = []
  /// The name of the user who changed the list last.
  private(set) var changedBy: String?
  /// The index of the current entry.
  private(set) var index: Int?
  /// The name of the user who selected that entry.
  private(set) var selectedBy: String?
  /// The entry that was removed from the list while it was current.
  private(set) var hidden: EntryID?
  /// The newest list that is not carried out yet.
  var wantedList: WantedList?
  /// The newest selection that is not carried out yet.
  var wantedEntry: WantedEntry?
  /// The change in progress; clients are told once all its requests are answered.
  private var change: Change?

  /// Whether a change is in progress.
  var isChanging: Bool { change != nil }

  /// The list and the current entry, for a client that knows neither.
  var news: [SyncplayNews] {
    [.playlist(files, by: changedBy), .playlistIndex(index, by: selectedBy)]
  }

  /// The list that a client has: the one that it sent, until the room is told the result.
  func list(of peer: PeerID) -> [String] {
    [wantedList, change?.list].compactMap(\.self).first { $0.peer == peer }?.files ?? files
  }

  /// Records who changes the list.
  mutating func noteChange(by name: String) { changedBy = name }

  /// Records who selects an entry.
  mutating func noteSelection(by name: String) { selectedBy = name }

  /// Stores a list that was made before there is a session with a queue.
  mutating func keep(_ files: [String], by name: String) {
    self.files = files
    changedBy = name
  }

  /// Hides an entry, if there is one; it stays hidden until the queue has lost it.
  mutating func hide(_ entry: EntryID?) { hidden = entry ?? hidden }

  /// The hidden entry if it can be removed from the queue, because another entry is current.
  func removable(from queue: Queue) -> EntryID? {
    guard let hidden, hidden != queue.current, queue.entries.contains(where: { $0.id == hidden })
    else { return nil }
    return hidden
  }

  /// Hides no entry any more, because another session has others of the same names.
  mutating func forgetHidden() { hidden = nil }

  /// Begins a change.
  mutating func begin(_ change: Change) { self.change = change }

  /// Ends the change in progress, if this is its last request.
  mutating func endChange(_ request: RequestID, of peer: PeerID) -> Bool {
    guard let change, change.request == request, change.list.peer == peer else { return false }
    self.change = nil
    return true
  }

  /// Ends the change in progress, if it is that of a peer which gets no answer here any more.
  mutating func abandonChange(of peer: PeerID) -> Bool {
    guard let change, change.list.peer == peer else { return false }
    self.change = nil
    return true
  }

  /// Forgets what a client wants, because it has left the room.
  mutating func forgetWishes(of peer: PeerID) {
    if wantedList?.peer == peer { wantedList = nil }
    if wantedEntry?.peer == peer { wantedEntry = nil }
  }

  /// Updates the list from the queue.
  ///
  /// - Parameters:
  ///   - entries: the names of the list's entries.
  ///   - current: the index of the current entry.
  ///   - setter: the name of the user who changed the queue.
  ///   - server: the name under which the server speaks.
  /// - Returns: the differences that clients have to be told; none while a change is in progress.
  mutating func follow(
    _ entries: [String], current: Int?, by setter: String?, server: String
  ) -> [SyncplayNews] {
    guard change == nil else { return [] }
    var news: [SyncplayNews] = []
    let author = setter ?? changedBy ?? server
    let isOther = entries != files
    if isOther {
      files = entries
      changedBy = author
      news.append(.playlist(entries, by: author))
    }
    if let current, current != index || isOther {
      let selector = selectedBy ?? author
      selectedBy = selector
      news.append(.playlistIndex(current, by: selector))
    }
    index = current
    return news
  }
}
