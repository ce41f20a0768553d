import Wire

extension GroupWatchError {
  /// What was wrong, as a code that never changes its meaning; more may come with later versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: Hashable, Sendable {
      case server(ErrorCode)
      /// One that only a newer server knows.
      case unknown(String)
      case timedOut, forgotten, tooManyRequests, invalidated, superseded, closed, cancelled
      case notEncodable, playerUnavailable
    }

    private let value: Value

    /// The code's name, as in logs and on the wire.
    public var description: String {
      switch value {
      case .server(let code): code.rawValue
      case .unknown(let text): text
      default: "\(value)"
      }
    }

    /// Whether this version of the library knows the code; else only its text is known.
    public var isKnown: Bool { if case .unknown = value { false } else { true } }

    init(_ code: ErrorCode) { value = .server(code) }
    private init(_ value: Value) { self.value = value }

    /// A code that this version of the library does not know, as a newer server may send.
    public static func unknown(_ text: String) -> Code { Code(Value.unknown(text)) }

    // MARK: Said by the server

    /// The device is in no group.
    public static let notInGroup = Code(ErrorCode.notInGroup)
    /// The device is in another group.
    public static let alreadyInGroup = Code(ErrorCode.alreadyInGroup)
    /// The group has as many members as it takes.
    public static let groupFull = Code(ErrorCode.groupFull)
    /// The group is closed.
    public static let groupClosed = Code(ErrorCode.groupClosed)
    /// Only whoever opened the group may close it.
    public static let notFounder = Code(ErrorCode.notFounder)
    /// The device cannot take part in a session now; `reason` says why.
    public static let notEligible = Code(ErrorCode.notEligible)
    /// The group is in a session of something else; `session` names it.
    public static let activityInProgress = Code(ErrorCode.activityInProgress)
    /// The activity cannot be shared as it is; `field` says where.
    public static let invalidActivity = Code(ErrorCode.invalidActivity)
    /// What was asked is out of range; `field` says where.
    public static let invalidField = Code(ErrorCode.invalidField)
    /// There is no such session.
    public static let unknownSession = Code(ErrorCode.unknownSession)
    /// The session is over for everyone; `reason` says why.
    public static let sessionEnded = Code(ErrorCode.sessionEnded)
    /// The activity is only staged.
    public static let notActivated = Code(ErrorCode.notActivated)
    /// The device does not take part in the session.
    public static let notJoined = Code(ErrorCode.notJoined)
    /// The device takes part in another session; `session` names it.
    public static let alreadyInSession = Code(ErrorCode.alreadyInSession)
    /// The role does not allow this; `reason` names what is missing.
    public static let forbidden = Code(ErrorCode.forbidden)
    /// Someone else changed the activity first; `revision` is the current one.
    public static let conflict = Code(ErrorCode.conflict)
    /// The session has as many participants as it takes; `limit` says how many.
    public static let sessionFull = Code(ErrorCode.sessionFull)
    /// A host removed this device for good.
    public static let banned = Code(ErrorCode.banned)
    /// That participant is another person's.
    public static let notYourParticipant = Code(ErrorCode.notYourParticipant)
    /// Nobody of that name takes part.
    public static let unknownParticipant = Code(ErrorCode.unknownParticipant)
    /// The queue has no such entry.
    public static let unknownEntry = Code(ErrorCode.unknownEntry)
    /// The queue has as many entries as it takes; `limit` says how many.
    public static let queueFull = Code(ErrorCode.queueFull)
    /// There is nothing before or after the current entry.
    public static let noSuchNeighbour = Code(ErrorCode.noSuchNeighbour)
    /// The device has another item current.
    public static let staleItem = Code(ErrorCode.staleItem)
    /// This device is suspended: what it asks concerns its own player only.
    public static let suspendedLocalOnly = Code(ErrorCode.suspendedLocalOnly)
    /// Too much was asked in too short a time; `retryAfter` says when to go on.
    public static let rateLimited = Code(ErrorCode.rateLimited)
    /// Too much waits for this group already; `retryAfter` says when to go on.
    public static let busy = Code(ErrorCode.busy)
    /// The server has no campaigns, and so no in-app messages.
    public static let messagingUnavailable = Code(ErrorCode.messagingUnavailable)
    /// The server has no such campaign.
    public static let unknownCampaign = Code(ErrorCode.unknownCampaign)
    /// Nothing is collected of the person.
    public static let collectionOff = Code(ErrorCode.collectionOff)
    /// The person is on as many lists as may be; `limit` says how many.
    public static let tooManyLists = Code(ErrorCode.tooManyLists)
    /// The server has no notifications.
    public static let notificationsUnavailable = Code(ErrorCode.notificationsUnavailable)
    /// What is to be sent is larger than the server takes; `limit` says how large it may be.
    public static let payloadTooLarge = Code(ErrorCode.payloadTooLarge)
    /// The server asks no push service there; `reason` says why.
    public static let invalidEndpoint = Code(ErrorCode.invalidEndpoint)
    /// No topic can have this name.
    public static let invalidTopic = Code(ErrorCode.invalidTopic)
    /// The topic is not the person's to publish or subscribe to.
    public static let notYourTopic = Code(ErrorCode.notYourTopic)
    /// The person subscribed to as much as they may; `limit` says how much.
    public static let tooManySubscriptions = Code(ErrorCode.tooManySubscriptions)
    /// The person was never sent such a notification, or long ago.
    public static let unknownNotification = Code(ErrorCode.unknownNotification)
    /// The notification was answered, removed or taken back, or it expired.
    public static let notificationOver = Code(ErrorCode.notificationOver)

    // MARK: Found here

    /// No answer came in time; whether it was carried out is not known.
    public static let timedOut = Code(Value.timedOut)
    /// The server does not know this device any more.
    public static let forgotten = Code(Value.forgotten)
    /// Too many requests wait already; `limit` says how many.
    public static let tooManyRequests = Code(Value.tooManyRequests)
    /// The session is over for this device; `reason` says why.
    public static let invalidated = Code(Value.invalidated)
    /// A later value took this one's place before it was sent.
    public static let superseded = Code(Value.superseded)
    /// The client was closed.
    public static let closed = Code(Value.closed)
    /// The task was cancelled.
    public static let cancelled = Code(Value.cancelled)
    /// The value cannot be written as JSON, or what came cannot be read as this type.
    public static let notEncodable = Code(Value.notEncodable)
    /// The client's own player cannot be started.
    public static let playerUnavailable = Code(Value.playerUnavailable)
  }
}
