import GroupSessions
public import Vocabulary
import Wire

extension GroupSession {
  /// What people did from now on; 256 notices wait for a slow reader, who is told of a gap by
  /// ``GroupSessionNotice/Action/missed(_:)``.
  public var notices: AsyncStream<GroupSessionNotice> {
    core.notices.stream { GroupSessionNotice(missed: $0) }
  }

  /// Shows a notice of the app's own in ``notices`` of this device, and of everyone's if so wished.
  ///
  /// - Parameters:
  ///   - text: for people to read, with the name of who did it if that matters.
  ///   - isBroadcast: whether the others are shown it too, which takes having joined.
  public func showNotice(
    _ text: String, isBroadcast: Bool = false
  ) async throws(GroupWatchError) {
    if isBroadcast {
      let payload = try PayloadCoding.encode(BroadcastNotice(text: text))
      try await client.ask(.send(id, payload, to: .all))
    }
    core.notices.send(
      GroupSessionNotice(custom: text, from: localParticipant, isLocal: true))
  }

  /// Asks for the person: this session cannot go on without them, as for a login.
  ///
  /// It comes to ``GroupWatchClient/foregroundRequest``. Before an offer is activated and after the
  /// session is over this does nothing.
  ///
  /// - Parameter reason: what the person is needed for.
  public func requestForegroundPresentation(_ reason: String) {
    switch state.current {
    case .waiting, .joined:
      let title = core.activity.current.value.metadata.title
      client.shared.foregroundRequest.set(
        ForegroundRequest(session: id, title: title, reason: reason))
      // It may have ended just now, on the client's thread, which then found nothing to clear.
      if core.isOver { client.shared.foregroundRequest.set(nil) }
    case .staged, .invalidated: break
    }
  }
}

/// A session that cannot go on without the person: whoever owns the windows brings its one to front.
public struct ForegroundRequest: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// What it is about.
  public let title: String
  /// What the person is needed for, such as a login.
  public let reason: String
}

/// A notice that one app shows to everyone: a message among an app's own, told apart by its field.
struct BroadcastNotice: Codable, Equatable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case text = "matinee.notice"
  }

  let text: String

  init(text: String) { self.text = text }

  /// Reads a message; `nil` if it is an app's own.
  init?(_ payload: JSONText) {
    // Most messages are: they cost one comparison.
    guard payload.text.hasPrefix(#"{"matinee.notice":"#) else { return nil }
    do throws(GroupWatchError) {
      self = try PayloadCoding.decode(Self.self, from: payload)
    } catch {
      return nil
    }
  }
}
