import GroupSessions
public import Vocabulary
import Wire

extension GroupSession {
  /// The notices of what people do, from now on.
  ///
  /// The backlog holds 256 notices for a slow reader;
  /// ``GroupSessionNotice/Action/missed(_:)`` reports a gap.
  public var notices: AsyncStream<GroupSessionNotice> {
    core.notices.stream { GroupSessionNotice(missed: $0) }
  }

  /// Shows an app's own notice in ``notices`` of this device, and optionally of all devices.
  ///
  /// - Parameters:
  ///   - text: the text for people; include the person's name if it matters who did it.
  ///   - isBroadcast: whether to send it to the others, too; this device must have joined for that.
  public func showNotice(
    _ text: String, isBroadcast: Bool = false
  ) async throws(GroupWatchError) {
    if isBroadcast {
      let payload = try PayloadCoding.encode(BroadcastNotice(text: text))
      try await ask(.send(id, payload, to: .all))
    }
    core.notices.send(
      GroupSessionNotice(custom: text, from: localParticipant, isLocal: true))
  }

  /// Asks the app to bring this session to the front, because it needs the person.
  ///
  /// The request appears in ``GroupWatchClient/foregroundRequest``. The call does nothing while the
  /// session is staged and after it is over.
  ///
  /// - Parameter reason: what the session needs the person for.
  public func requestForegroundPresentation(_ reason: String) {
    switch state.current {
    case .waiting, .joined:
      let title = core.activity.current.value.metadata.title
      client.shared.foregroundRequest.set(
        ForegroundRequest(session: id, title: title, reason: reason))
      // The session may have ended meanwhile on the client's thread, before the request was set.
      if core.isOver { client.shared.foregroundRequest.set(nil) }
    case .staged, .invalidated: break
    }
  }
}

/// A session that needs the person; the app brings that session's window to the front.
public struct ForegroundRequest: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// The title of the session's activity.
  public let title: String
  /// What the session needs the person for, for example a login.
  public let reason: String
}

/// A notice that is sent to everyone as a message; a reserved field marks it.
struct BroadcastNotice: Codable, Equatable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case text = "matinee.notice"
  }

  let text: String

  init(text: String) { self.text = text }

  /// Decodes a message; `nil` if it is an ordinary message of the app.
  init?(_ payload: JSONText) {
    // Most messages are ordinary, and this check costs them one comparison.
    guard payload.text.hasPrefix(#"{"matinee.notice":"#) else { return nil }
    do throws(GroupWatchError) {
      self = try PayloadCoding.decode(Self.self, from: payload)
    } catch {
      return nil
    }
  }
}
