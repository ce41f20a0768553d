package import Coordination
import GroupSessions
import InAppMessaging
import JSON
import UserNotifications
import Vocabulary
import Wire

/// Spells events, states and answers for a journal: the JSON of the wire, without its envelope.
package struct RecordWriter: Sendable {
  private var writer = JSONWriter()

  /// A writer; keep it, its memory is used again.
  package init() {}

  /// An event as a JSON object.
  package mutating func text(of event: AggregateEvent) -> String {
    text { writer in
      switch event {
      case .group(let event): event.write(to: &writer)
      case .session(let event): event.write(to: &writer)
      case .device(let event): event.write(to: &writer)
      case .user(let event): event.write(to: &writer)
      case .tray(let event): event.write(to: &writer)
      }
    }
  }

  /// A state as a JSON object.
  package mutating func text(of state: AggregateState) -> String {
    text { writer in
      switch state {
      case .group(let group): group.write(to: &writer)
      case .session(let session): session.write(to: &writer)
      case .user(let messaging): messaging.write(to: &writer)
      case .tray(let tray): tray.write(to: &writer)
      }
    }
  }

  /// What a request came to, as a JSON object.
  package mutating func text(of outcome: RequestOutcome) -> String {
    text { outcome.write(to: &$0) }
  }

  private mutating func text(_ body: (inout JSONWriter) -> Void) -> String {
    writer.removeAll()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
