import Participation
public import Vocabulary
import Wire

/// Why something could not be done: a code to decide by, a sentence, and what to do about it.
public struct GroupWatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public let code: Code
  /// What was wrong, in one sentence.
  public let message: String
  /// What to do about it.
  public let advice: String
  /// The reason behind the code, such as why a device is not eligible.
  public let reason: String?
  /// The field of what was sent that was wrong.
  public let field: String?
  /// The bound that was met.
  public let limit: Int?
  /// The session that is in the way.
  public let session: SessionID?
  /// The revision that the activity has now.
  public let revision: Int?
  /// When trying again makes sense.
  public let retryAfter: Duration?

  /// The code, the message and the advice.
  public var description: String { "\(code): \(message); \(advice)" }

  init(
    _ code: Code, _ message: String, advice: String, reason: String? = nil, limit: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.advice = advice
    self.reason = reason
    self.limit = limit
    field = nil
    session = nil
    revision = nil
    retryAfter = nil
  }

  private init(_ error: ProtocolError) {
    // One code for a payload that is too large, whoever measured it.
    let isTooLarge = error.code == .invalidField && error.field == "payload" && error.limit != nil
    code = isTooLarge ? .payloadTooLarge : Code(error.code)
    message = error.message
    advice = error.code.advice
    reason = error.reason
    field = error.field
    limit = error.limit
    session = error.session
    revision = error.revision
    retryAfter = error.retryAfter
  }

  init(_ failure: Client.Failure) {
    switch failure {
    case .refused(let error): self.init(error)
    case .refusedUnknown(let error):
      self.init(
        .unknown(error.code), error.message, advice: "see the message; a newer app may know more")
    case .timedOut:
      self.init(.timedOut, "no answer came in time", advice: "look at the state, and try again")
    case .forgotten:
      self.init(
        .forgotten, "the server does not know this device any more", advice: "ask for it again")
    case .tooManyRequests(let limit):
      self.init(
        .tooManyRequests, "\(limit) requests wait already", advice: "wait for their answers",
        limit: limit)
    case .notJoined:
      self.init(.notJoined, "this device is not in the session", advice: "join first")
    case .invalidated(let reason):
      self.init(
        .invalidated, "the session is over for this device", advice: "wait for another session",
        reason: InvalidationReason(reason).description)
    case .superseded:
      self.init(.superseded, "a later value took its place", advice: "nothing is to be done")
    case .closed:
      self.init(.closed, "the client was closed", advice: "connect again")
    }
  }

  static let closedSession = GroupWatchError(Client.Failure.notJoined)
}
