import GroupSessions
import Naming
import Testing
import Vocabulary

@testable import Syncplay

@Suite struct PlaylistEditTests {
  /// A queue's own commands, on a plain list.
  private func apply(_ commands: [QueueCommand], to entries: [(id: EntryID, name: String)])
    -> [(id: EntryID, name: String)]
  {
    var entries = entries
    var number = entries.count + 1
    for command in commands {
      switch command {
      case .insert(let media, .end):
        for media in media {
          entries.append((EntryID("e\(number)"), media.url))
          number += 1
        }
      case .remove(let id): entries.removeAll { $0.id == id }
      case .move(let id, .after(let anchor)):
        guard let from = entries.firstIndex(where: { $0.id == id }) else { continue }
        let entry = entries.remove(at: from)
        guard let place = entries.firstIndex(where: { $0.id == anchor }) else { continue }
        entries.insert(entry, at: place + 1)
      default: Issue.record("unforeseen \(command)")
      }
    }
    return entries
  }

  private static let names = ["a", "b", "c"]

  /// All lists of up to three of three names.
  private static let lists: [[String]] = (0...3).flatMap { length in
    (0..<Int(pow3(length))).map { number in
      (0..<length).map { names[number / pow3($0) % 3] }
    }
  }

  private static func pow3(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * 3 }
  }

  @Test func `any list is turned into any other, and what stays is kept`() {
    for old in Self.lists {
      for new in Self.lists {
        let entries = old.enumerated().map { (id: EntryID("e\($0 + 1)"), name: $1) }
        let queue = entries.map {
          QueueEntry(id: $0.id, media: PlaylistEdit.media($0.name), addedBy: nil)
        }
        var edit = PlaylistEdit(of: queue, current: nil)
        edit.replace(with: new, all: queue.map(\.id), nextNumber: old.count + 1)
        let result = apply(edit.commands, to: entries)
        #expect(result.map(\.name) == new)
        let kept = Self.names.map { name in
          min(old.count { $0 == name }, new.count { $0 == name })
        }
        let ids = Set(entries.map(\.id))
        #expect(result.count { ids.contains($0.id) } == kept.reduce(0, +))
      }
    }
  }

  @Test func `what is on is not taken away under its watchers`() {
    let queue = ["a", "b"].enumerated().map {
      QueueEntry(id: EntryID("e\($0 + 1)"), media: PlaylistEdit.media($1), addedBy: nil)
    }
    var edit = PlaylistEdit(of: queue, current: EntryID("e1"))
    edit.replace(with: ["b"], all: queue.map(\.id), nextNumber: 3)
    #expect(edit.commands == [])
    #expect(edit.hidden == EntryID("e1"))
  }
}
