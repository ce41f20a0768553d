import GroupSessions
import Vocabulary

extension SessionNarrator {
  /// What somebody did to the queue, or what it did by itself.
  func deed(_ event: QueueEvent) -> String {
    switch event {
    case .inserted(let added, let place):
      let titles = added.map { title($0.id) }.joined(separator: ", ")
      return "put \(titles) into the queue, \(text(of: place))"
    case .moved(let entry, let place): return "moved \(title(entry)) \(text(of: place))"
    case .removed(let entry): return "took \(title(entry)) out of the queue"
    case .cleared: return "cleared the queue"
    case .selected(let entry): return "went on to \(title(entry))"
    case .repeatSet(.off): return "set the queue to repeat nothing"
    case .repeatSet(.one): return "set the queue to repeat what is on"
    case .repeatSet(.all): return "set the queue to repeat from the start"
    case .shuffled: return "shuffled the queue"
    case .unshuffled: return "put the queue back in order"
    case .autoAdvanceSet(true): return "lets the queue go on by itself"
    case .autoAdvanceSet(false): return "lets the queue stop after each entry"
    }
  }

  private func text(of place: EntryID?) -> String {
    place.map { "behind \(title($0))" } ?? "at the front"
  }
}
