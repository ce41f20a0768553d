import Participation
public import Vocabulary
import Wire

/// An error: a code for the program, a message for people, and advice on what to do.
public struct GroupWatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's code.
  public let code: Code
  /// What is wrong, in one sentence.
  public let message: String
  /// What to do about it.
  public let advice: String
  /// The reason behind the code, for example why a device is not eligible.
  public let reason: String?
  /// The name of the invalid field in the request.
  public let field: String?
  /// The limit that was exceeded.
  public let limit: Int?
  /// The session that prevents the request.
  public let session: SessionID?
  /// The activity's current revision.
  public let revision: Int?
  /// When to try again.
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
    // The server and this client report a payload that is too large with the same code.
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

  /// A secret that somebody on the way to the server could read.
  ///
  /// The server refuses it, too, but only after it was sent.
  static let readableSecret = GroupWatchError(
    .tlsRequired, "a key or a pairing code is not shown over a connection without encryption",
    advice: "connect with encryption, or on the server's own machine")
}
