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

  /// The code, the message with what it is about, and the advice.
  public var description: String {
    let details = [
      field.map { "field \($0)" }, reason.map { "reason \($0)" }, limit.map { "limit \($0)" },
    ].compactMap { $0 }
    let about = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return "\(code): \(message)\(about); \(advice)"
  }

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
    // The server and this client report a payload that is too large with the same code; an attachment
    // has one byte at least where it is made.
    let isTooLarge =
      error.code == .invalidField && ["payload", "bytes"].contains(error.field)
      && error.limit != nil
    code = isTooLarge ? .payloadTooLarge : Code(error.code)
    message = isTooLarge ? "the data are larger than the server accepts" : error.message
    advice = isTooLarge ? "shorten them, or keep them elsewhere and send their URL" : error.advice
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

  static let cancelled = GroupWatchError(
    .cancelled, "the task was cancelled", advice: "nothing is to be done")

  /// An explanation without the campaign that was asked about.
  static func nothingSaid(of campaign: CampaignID) -> GroupWatchError {
    GroupWatchError(
      .unknownCampaign, "the server says nothing of \(campaign)", advice: "check its id")
  }

  /// A secret that somebody on the way to the server could read.
  ///
  /// The server refuses it, too, but only after it was sent.
  static let readableSecret = GroupWatchError(
    .tlsRequired, "a key or a pairing code is not shown over a connection without encryption",
    advice: "connect with encryption, or on the server's own machine")
}

extension GroupWatchError {
  /// A stable error code; later versions may add codes, but never change the meaning of one.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: Hashable, Sendable {
      case server(ErrorCode)
      /// A code that only a newer server knows.
      case unknown(String)
      case timedOut, forgotten, tooManyRequests, invalidated, closed, cancelled
      case notEncodable, playerUnavailable, credentialUnavailable, invalidSecurity
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

    /// Whether this version of the library knows the code; otherwise only its text is available.
    public var isKnown: Bool { if case .unknown = value { false } else { true } }

    init(_ code: ErrorCode) { value = .server(code) }
    private init(_ value: Value) { self.value = value }

    /// The code of a name, which this version of the library may not know, for example of a newer server.
    public static func unknown(_ text: String) -> Code {
      ErrorCode(rawValue: text).map { Code($0) } ?? Code(Value.unknown(text))
    }

    // MARK: Sent by the server

    /// The server asks who this person is; see ``ClientOptions/credential``.
    public static let credentialRequired = Code(ErrorCode.credentialRequired)
    /// The token does not prove that this is the person; `reason` says why.
    public static let credentialRefused = Code(ErrorCode.credentialRefused)
    /// The token has expired, and there is no newer one.
    public static let credentialExpired = Code(ErrorCode.credentialExpired)
    /// The device is in no group.
    public static let notInGroup = Code(ErrorCode.notInGroup)
    /// The device is in another group.
    public static let alreadyInGroup = Code(ErrorCode.alreadyInGroup)
    /// The group has its maximum number of members.
    public static let groupFull = Code(ErrorCode.groupFull)
    /// The group is closed.
    public static let groupClosed = Code(ErrorCode.groupClosed)
    /// The server has no such group.
    public static let unknownGroup = Code(ErrorCode.unknownGroup)
    /// The server knows no such person.
    public static let unknownUser = Code(ErrorCode.unknownUser)
    /// The server has its maximum number of groups.
    public static let groupsFull = Code(ErrorCode.groupsFull)
    /// The server has its maximum number of connections.
    public static let serverFull = Code(ErrorCode.serverFull)
    /// The server's journal is full, so nothing new is taken.
    public static let journalFull = Code(ErrorCode.journalFull)
    /// The server's groups have no keys.
    public static let noKey = Code(ErrorCode.noKey)
    /// The server has no media of its own.
    public static let noMedia = Code(ErrorCode.noMedia)
    /// The group asks newcomers for its key.
    public static let keyRequired = Code(ErrorCode.keyRequired)
    /// The key does not open the group; the group may have another one by now.
    public static let keyRefused = Code(ErrorCode.keyRefused)
    /// The name or the group is from before the server asked for keys.
    public static let held = Code(ErrorCode.held)
    /// The person was removed from the group for good.
    public static let removed = Code(ErrorCode.removed)
    /// The server has its maximum number of names; `limit` is that number.
    public static let namesFull = Code(ErrorCode.namesFull)
    /// Too many wrong keys, credentials and codes came from this address; `retryAfter` says when to go on.
    public static let tooManyGuesses = Code(ErrorCode.tooManyGuesses)
    /// The connection is not encrypted, and has to be for this.
    public static let tlsRequired = Code(ErrorCode.tlsRequired)
    /// The code lets no device in; see ``GroupWatchClient/pairDevice()``.
    public static let pairingRefused = Code(ErrorCode.pairingRefused)
    /// Only the person who opened the group may close it.
    public static let notFounder = Code(ErrorCode.notFounder)
    /// The device cannot take part in a session now; `reason` says why.
    public static let notEligible = Code(ErrorCode.notEligible)
    /// The group is in a session of another activity; `session` has its identifier.
    public static let activityInProgress = Code(ErrorCode.activityInProgress)
    /// The activity is invalid; `field` names the invalid field.
    public static let invalidActivity = Code(ErrorCode.invalidActivity)
    /// A field of the request is out of range; `field` names it.
    public static let invalidField = Code(ErrorCode.invalidField)
    /// The session does not exist.
    public static let unknownSession = Code(ErrorCode.unknownSession)
    /// The session is over for everyone; `reason` says why.
    public static let sessionEnded = Code(ErrorCode.sessionEnded)
    /// The activity is staged and must be activated first.
    public static let notActivated = Code(ErrorCode.notActivated)
    /// The device does not take part in the session.
    public static let notJoined = Code(ErrorCode.notJoined)
    /// The device takes part in another session; `session` has its identifier.
    public static let alreadyInSession = Code(ErrorCode.alreadyInSession)
    /// The role does not allow this; `reason` names the missing right.
    public static let forbidden = Code(ErrorCode.forbidden)
    /// Someone else changed the activity first; `revision` is the current one.
    public static let conflict = Code(ErrorCode.conflict)
    /// The session has its maximum number of participants; `limit` is that number.
    public static let sessionFull = Code(ErrorCode.sessionFull)
    /// A host banned this device from the session.
    public static let banned = Code(ErrorCode.banned)
    /// The participant belongs to another person.
    public static let notYourParticipant = Code(ErrorCode.notYourParticipant)
    /// The session has no such participant.
    public static let unknownParticipant = Code(ErrorCode.unknownParticipant)
    /// The person is not invited to the session.
    public static let notInvited = Code(ErrorCode.notInvited)
    /// The person has answered the invitation differently; `reason` says how.
    public static let invitationAnswered = Code(ErrorCode.invitationAnswered)
    /// The invitation was revoked, or has expired.
    public static let invitationOver = Code(ErrorCode.invitationOver)
    /// The invitation has no token, or one that this server did not make.
    public static let invalidToken = Code(ErrorCode.invalidToken)
    /// The invitation's token has expired.
    public static let tokenExpired = Code(ErrorCode.tokenExpired)
    /// The session has its maximum number of invitations; `limit` is that number.
    public static let tooManyInvitations = Code(ErrorCode.tooManyInvitations)
    /// The queue has no such entry.
    public static let unknownEntry = Code(ErrorCode.unknownEntry)
    /// The queue has its maximum number of entries; `limit` is that number.
    public static let queueFull = Code(ErrorCode.queueFull)
    /// The session has no such attachment, or gave up waiting for its parts.
    public static let unknownAttachment = Code(ErrorCode.unknownAttachment)
    /// The session or the server has no room for another attachment; `limit` is the room.
    public static let attachmentsFull = Code(ErrorCode.attachmentsFull)
    /// The group has no room in its objects; `limit` is how many it may have or, if `field` is
    /// `bytes`, how large they may be together.
    public static let objectsFull = Code(ErrorCode.objectsFull)
    /// This device's group has no such object.
    public static let unknownObject = Code(ErrorCode.unknownObject)
    /// The queue has no entry before or after the current one.
    public static let noSuchNeighbour = Code(ErrorCode.noSuchNeighbour)
    /// The device has a different item open.
    public static let staleItem = Code(ErrorCode.staleItem)
    /// This device is suspended, so its commands affect its own player only.
    public static let suspendedLocalOnly = Code(ErrorCode.suspendedLocalOnly)
    /// This device has the maximum number of suspensions; `limit` is that number.
    public static let tooManySuspensions = Code(ErrorCode.tooManySuspensions)
    /// Too many requests in too short a time; `retryAfter` says when to continue.
    public static let rateLimited = Code(ErrorCode.rateLimited)
    /// The server cannot store anything now; `retryAfter` says when to try again.
    public static let journalUnavailable = Code(ErrorCode.journalUnavailable)
    /// The server stops; the client goes on once it, or another one, is there.
    public static let shuttingDown = Code(ErrorCode.shuttingDown)
    /// Another connection of this device is open.
    public static let deviceInUse = Code(ErrorCode.deviceInUse)
    /// The person's other device has not let this one in yet.
    public static let pairingPending = Code(ErrorCode.pairingPending)
    /// The client stands for an administrator, and not for a person.
    public static let noPerson = Code(ErrorCode.noPerson)
    /// The name belongs to nobody yet; joining a group with its key claims it.
    public static let unproved = Code(ErrorCode.unproved)
    /// The device is another person's, or in no group of theirs.
    public static let notYourDevice = Code(ErrorCode.notYourDevice)
    /// The server has its maximum number of people with messages.
    public static let usersFull = Code(ErrorCode.usersFull)
    /// The server has its maximum number of people with notifications.
    public static let traysFull = Code(ErrorCode.traysFull)
    /// The session has its maximum number of timelines; `limit` is that number.
    public static let tooManyTimelines = Code(ErrorCode.tooManyTimelines)
    /// This device has no such suspension.
    public static let unknownSuspension = Code(ErrorCode.unknownSuspension)
    /// The report is about an earlier state of the timeline.
    public static let staleReport = Code(ErrorCode.staleReport)
    /// The group's backlog at the server is full; `retryAfter` says when to continue.
    public static let busy = Code(ErrorCode.busy)
    /// The server has no campaigns, and therefore no in-app messages.
    public static let messagingUnavailable = Code(ErrorCode.messagingUnavailable)
    /// The server has no such campaign.
    public static let unknownCampaign = Code(ErrorCode.unknownCampaign)
    /// Data collection is off for the person.
    public static let collectionOff = Code(ErrorCode.collectionOff)
    /// The person is on the maximum number of lists; `limit` is that number.
    public static let tooManyLists = Code(ErrorCode.tooManyLists)
    /// The person has the maximum number of attributes; `limit` is that number.
    public static let tooManyAttributes = Code(ErrorCode.tooManyAttributes)
    /// The server does not offer notifications.
    public static let notificationsUnavailable = Code(ErrorCode.notificationsUnavailable)
    /// The payload is larger than the server accepts; `limit` is the maximum in bytes.
    public static let payloadTooLarge = Code(ErrorCode.payloadTooLarge)
    /// The server does not contact a push service at that endpoint; `reason` says why.
    public static let invalidEndpoint = Code(ErrorCode.invalidEndpoint)
    /// The topic's name is not valid.
    public static let invalidTopic = Code(ErrorCode.invalidTopic)
    /// The person may not publish or subscribe to the topic.
    public static let notYourTopic = Code(ErrorCode.notYourTopic)
    /// The server was started without an administrator's key, so nobody may push.
    public static let noAdministrator = Code(ErrorCode.noAdministrator)
    /// The administrator's key is wrong.
    public static let wrongKey = Code(ErrorCode.wrongKey)
    /// No server of the cluster has this name, or more than one has.
    public static let unknownServer = Code(ErrorCode.unknownServer)
    /// No other server of the cluster could go on.
    public static let onlyServer = Code(ErrorCode.onlyServer)
    /// The person has the maximum number of subscriptions; `limit` is that number.
    public static let tooManySubscriptions = Code(ErrorCode.tooManySubscriptions)
    /// The server never sent the person this notification, or no longer remembers it.
    public static let unknownNotification = Code(ErrorCode.unknownNotification)
    /// The notification was answered, removed or revoked, or it expired.
    public static let notificationOver = Code(ErrorCode.notificationOver)

    // MARK: Raised by the client

    /// No answer came in time; the server may or may not have carried out the request.
    public static let timedOut = Code(Value.timedOut)
    /// The server does not know this device any more.
    public static let forgotten = Code(Value.forgotten)
    /// Too many requests are pending; `limit` is the maximum.
    public static let tooManyRequests = Code(Value.tooManyRequests)
    /// The session is over for this device; `reason` says why.
    public static let invalidated = Code(Value.invalidated)
    /// A later value replaced this one before it was sent, or another connection of this device took its
    /// place.
    public static let superseded = Code(ErrorCode.superseded)
    /// The client was closed.
    public static let closed = Code(Value.closed)
    /// The task was cancelled.
    public static let cancelled = Code(Value.cancelled)
    /// The value cannot be encoded as JSON, or the payload cannot be decoded as this type.
    public static let notEncodable = Code(Value.notEncodable)
    /// The app's ``ClientOptions/credential`` gave no token; the message says why.
    public static let credentialUnavailable = Code(Value.credentialUnavailable)
    /// ``ClientOptions/security`` names no certificate or no fingerprint; the message says which.
    public static let invalidSecurity = Code(Value.invalidSecurity)
    /// The client's own player cannot be started.
    public static let playerUnavailable = Code(Value.playerUnavailable)
  }
}
