import Participation
import Wire

/// Why something could not be done: a code to decide by, a sentence, and what to do about it.
public struct GroupWatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was wrong, as a code that never changes its meaning; more may come with later versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: Hashable, Sendable {
      case server(ErrorCode)
      case timedOut, forgotten, tooManyRequests, invalidated, superseded, closed, notEncodable
      case payloadTooLarge, noClient
    }

    private let value: Value

    /// The code's name, as in logs and on the wire.
    public var description: String {
      switch value {
      case .server(let code): code.rawValue
      default: "\(value)"
      }
    }

    init(_ code: ErrorCode) { value = .server(code) }
    private init(_ value: Value) { self.value = value }

    /// The device cannot take part in a session now.
    public static let notEligible = Code(ErrorCode.notEligible)
    /// The group is in a session of something else.
    public static let activityInProgress = Code(ErrorCode.activityInProgress)
    /// The activity cannot be shared as it is.
    public static let invalidActivity = Code(ErrorCode.invalidActivity)
    /// The device does not take part in the session.
    public static let notJoined = Code(ErrorCode.notJoined)
    /// The session is over for everyone.
    public static let sessionEnded = Code(ErrorCode.sessionEnded)
    /// Someone else changed the activity first.
    public static let conflict = Code(ErrorCode.conflict)
    /// The role does not allow this.
    public static let forbidden = Code(ErrorCode.forbidden)
    /// No answer came in time; whether it was carried out is not known.
    public static let timedOut = Code(Value.timedOut)
    /// The server does not know this device any more.
    public static let forgotten = Code(Value.forgotten)
    /// Too many requests wait already.
    public static let tooManyRequests = Code(Value.tooManyRequests)
    /// The session is over for this device.
    public static let invalidated = Code(Value.invalidated)
    /// A later value took this one's place before it was sent.
    public static let superseded = Code(Value.superseded)
    /// The client was closed.
    public static let closed = Code(Value.closed)
    /// The value cannot be written as JSON, or what came cannot be read as this type.
    public static let notEncodable = Code(Value.notEncodable)
    /// The message is larger than the server takes.
    public static let payloadTooLarge = Code(Value.payloadTooLarge)
  }

  /// What was wrong.
  public let code: Code
  /// What was wrong, in one sentence.
  public let message: String
  /// What to do about it.
  public let advice: String
  /// The reason behind the code, such as why a device is not eligible.
  public let reason: String?

  /// The message and the advice.
  public var description: String { "\(code): \(message); \(advice)" }

  init(_ code: Code, _ message: String, advice: String, reason: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
    self.reason = reason
  }

  init(_ failure: Participation.Participant.Failure) {
    switch failure {
    case .refused(let error):
      self.init(
        Code(error.code), error.message, advice: error.code.advice, reason: error.reason)
    case .timedOut:
      self.init(.timedOut, "no answer came in time", advice: "look at the state, and try again")
    case .forgotten:
      self.init(
        .forgotten, "the server does not know this device any more", advice: "ask for it again")
    case .tooManyRequests(let limit):
      self.init(
        .tooManyRequests, "\(limit) requests wait already", advice: "wait for their answers")
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

  static let closedSession = GroupWatchError(Participation.Participant.Failure.notJoined)
}
