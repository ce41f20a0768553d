import GroupSessions
import Vocabulary
import Wire

/// A room's playlist as its clients were last told; the session's queue decides what is in it.
struct RoomPlaylist: Equatable, Sendable {
  /// A change that takes several requests to the coordinator, by its author and the last request.
  struct Change: Equatable, Sendable {
    let peer: PeerID
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
  /// The change in progress; clients are told once all its requests are answered.
  private var change: Change?

  /// The list and the current entry, for a client that knows neither.
  var news: [SyncplayNews] {
    [.playlist(files, by: changedBy), .playlistIndex(index, by: selectedBy)]
  }

  /// Records who changes the list.
  mutating func noteChange(by name: String) { changedBy = name }

  /// Records who selects an entry.
  mutating func noteSelection(by name: String?) { selectedBy = name }

  /// Stores a list that was made before there is a session with a queue.
  mutating func keep(_ files: [String]) { self.files = files }

  /// Hides an entry, if there is one, until another entry is current.
  mutating func hide(_ entry: EntryID?) { hidden = entry ?? hidden }

  /// Removes and returns the hidden entry once another entry is current.
  mutating func takeHidden(current: EntryID?) -> EntryID? {
    guard let hidden, hidden != current else { return nil }
    self.hidden = nil
    return hidden
  }

  /// Hides no entry any more, because another session has others of the same names.
  mutating func forgetHidden() { hidden = nil }

  /// Begins a change.
  mutating func begin(_ change: Change) { self.change = change }

  /// Ends the change in progress, if it is this one.
  mutating func end(_ change: Change) -> Bool {
    guard self.change == change else { return false }
    self.change = nil
    return true
  }

  /// Ends the change in progress, if it is that of a client which has left the room and gets no answer
  /// here any more.
  mutating func abandonChange(of peer: PeerID) -> Bool {
    guard let change, change.peer == peer else { return false }
    return end(change)
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
    let isOther = entries != files
    if isOther {
      news.append(.playlist(entries, by: setter ?? changedBy ?? server))
      files = entries
      changedBy = setter ?? changedBy
    }
    if let current, current != index || isOther {
      news.append(.playlistIndex(current, by: selectedBy ?? setter ?? server))
    }
    index = current
    return news
  }
}
