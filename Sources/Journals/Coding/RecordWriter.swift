package import Coordination
import GroupSessions
import InAppMessaging
import JSON
import UserNotifications
import Vocabulary
import Wire

/// Encodes events, snapshots and answers for a journal, as the JSON of the wire without its
/// envelope.
package struct RecordWriter: Sendable {
  private var writer = JSONWriter()

  /// Keep a writer, so that its memory is reused.
  package init() {}

  package mutating func text(of event: AggregateEvent) -> String {
    text { writer in
      switch event {
      case .group(let event): event.write(to: &writer)
      case .session(let event): event.write(to: &writer)
      case .attachment(let event): event.write(to: &writer)
      case .device(let event): event.write(to: &writer)
      case .user(let event): event.write(to: &writer)
      case .tray(let event): event.write(to: &writer)
      case .name(let event): event.write(to: &writer)
      }
    }
  }

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

  package mutating func text(of outcome: RequestOutcome) -> String {
    text { outcome.write(to: &$0) }
  }

  private mutating func text(_ body: (inout JSONWriter) -> Void) -> String {
    writer.removeAll()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
