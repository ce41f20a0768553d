import GroupSessions
import Playback
import Vocabulary
import Wire

// What is wrong with media, as the server says it: the domain judges.

extension Coordinator {
  func check(_ activity: GroupActivity) throws(ProtocolError) {
    guard let flaw = activity.flaw(limits) else { return }
    throw ProtocolError(
      .invalidActivity, flaw.message, field: "activity.\(flaw.field)", limit: flaw.limit)
  }

  func check(_ command: QueueCommand) throws(ProtocolError) {
    guard let flaw = command.flaw(limits) else { return }
    throw ProtocolError(.invalidField, flaw.message, field: flaw.field)
  }

  func check(_ command: PlaybackCommand) throws(ProtocolError) {
    guard let flaw = command.flaw(limits) else { return }
    throw ProtocolError(.invalidField, flaw.message, field: flaw.field)
  }
}
