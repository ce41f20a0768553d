import GroupSessions
import Vocabulary
import Wire

/// A room's playlist as its clients were told of it; what is in it is decided by the session's
/// queue.
struct RoomPlaylist: Equatable, Sendable {
  /// A change that takes several requests to the coordinator: who made it, and the last request.
  struct Change: Equatable, Sendable {
    let peer: PeerID
    let request: RequestID
  }

  private(set) var files: [String] = []
  /// The name of whoever changed the list last.
  private(set) var changedBy: String?
  /// The place of the entry that is on.
  private(set) var index: Int?
  /// The name of whoever selected that entry.
  private(set) var selectedBy: String?
  /// The entry that was removed from the list while it was on.
  private(set) var hidden: EntryID?
  /// The change that is under way; clients are told of it when all of it has happened.
  private var change: Change?

  /// The list and what of it is on, for somebody who knows neither.
  var news: [SyncplayNews] {
    [.playlist(files, by: changedBy), .playlistIndex(index, by: selectedBy)]
  }

  /// Somebody changes the list.
  mutating func noteChange(by name: String) { changedBy = name }

  /// Somebody selects an entry.
  mutating func noteSelection(by name: String?) { selectedBy = name }

  /// Keeps a list made before there is a session whose queue could hold it.
  mutating func keep(_ files: [String]) { self.files = files }

  /// Hides an entry, if there is one, until another one is on.
  mutating func hide(_ entry: EntryID?) { hidden = entry ?? hidden }

  /// The hidden entry, once another one is on; it is hidden no more.
  mutating func takeHidden(current: EntryID?) -> EntryID? {
    guard let hidden, hidden != current else { return nil }
    self.hidden = nil
    return hidden
  }

  /// A change has begun.
  mutating func begin(_ change: Change) { self.change = change }

  /// Ends the change that is under way, if it is this one.
  mutating func end(_ change: Change) -> Bool {
    guard self.change == change else { return false }
    self.change = nil
    return true
  }

  /// Compares what the queue holds with what the clients were told.
  ///
  /// - Parameters:
  ///   - entries: the names of the list's entries.
  ///   - current: the place of the entry that is on.
  ///   - setter: the name of whoever changed the queue.
  ///   - server: the name under which the server speaks.
  /// - Returns: what the clients have to be told; nothing while a change is under way.
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
