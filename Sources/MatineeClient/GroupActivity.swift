public import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

/// Something people do together; the counterpart of GroupActivities' `GroupActivity`.
///
/// Its coded form is sent to the others. It holds enough to find the content, and no state that
/// changes. Equal activities are the same activity; only of those that several people start at the same
/// moment, the server takes two for different ones if they contain a `Set`, because it compares the coded
/// forms and a set is coded in another order each time.
public protocol GroupActivity: Codable, Equatable, Sendable {
  /// Identifies the activity type in all installations of the app; by default the type's full name.
  static var activityIdentifier: String { get }

  /// The text and images that an invitation shows.
  var metadata: GroupActivityMetadata { get }

  /// The media to play; `nil` by default, for an activity without media.
  var media: MediaItem? { get }
}

extension GroupActivity {
  /// The type's full name; private and local types of one module need different names.
  public static var activityIdentifier: String { typeName(of: Self.self) }

  /// No media.
  public var media: MediaItem? { nil }
}

extension GroupActivity {
  /// The activity as it is sent on the wire.
  func value() throws(GroupWatchError) -> GroupSessions.GroupActivity {
    if let activity = self as? AnyGroupActivity { return activity.value }
    return GroupSessions.GroupActivity(
      type: Self.activityIdentifier, payload: try PayloadCoding.encode(self),
      metadata: metadata, media: media)
  }

  /// The activity as it is sent, in the form in which it goes on or waits here already.
  ///
  /// The server compares forms, and a set is coded in another order each time.
  func value(on client: GroupWatchClient) throws(GroupWatchError) -> GroupSessions.GroupActivity {
    let known = client.shared.sessions.current.map(\.activity.current.value)
    if let same = known.first(where: isSame) { return same }
    return try value()
  }

  /// Whether it is a received activity, and its media are the ones that are on.
  func isSame(as value: GroupSessions.GroupActivity) -> Bool {
    Self(value) == self && value.media?.item == media?.item
  }

  /// Decodes a received activity; `nil` if it has another type or cannot be decoded as this type.
  init?(_ value: GroupSessions.GroupActivity) {
    if let activity = AnyGroupActivity(value: value) as? Self {
      self = activity
      return
    }
    guard value.type == Self.activityIdentifier else { return nil }
    // When the queue moves on, the server changes the media only.
    if let media = value.media, let activity = MediaItemActivity(media) as? Self {
      self = activity
      return
    }
    do {
      self = try PayloadCoding.decode(Self.self, from: value.payload)
    } catch {
      return nil
    }
  }
}

extension GroupActivity {
  /// Finds out whether the person wants to share this activity, and asks them if that is open.
  ///
  /// The first of these that applies decides: a session of this activity or of its type is current
  /// here; no session is possible; the person has a stored decision; the person is asked. Without a
  /// prompt, an open question counts as a yes.
  ///
  /// - Parameters:
  ///   - client: the client whose group the activity is for.
  ///   - prompt: asks the person.
  public func prepareForActivation(
    on client: GroupWatchClient, asking prompt: (any ActivationPrompt)? = nil
  ) async throws(GroupWatchError) -> GroupActivityActivationResult {
    let value = try value(on: client)
    let type = value.type
    client.setSharing(await client.sharingPreferences.preference(for: type), type: type)
    let advice = await client.look { participant, _ in participant.adviseActivation(of: value) }
    switch advice {
    case nil: throw GroupWatchError(Client.Failure.closed)
    case .alreadyIn(let id): return .alreadyActive(id)
    case .update(let id): return .updatesSession(id)
    case .disabled(let reason): return .activationDisabled(reason)
    case .preferred: return .activationPreferred
    case .ask:
      guard let prompt else { return .activationPreferred }
      // A person who is no longer in a group is not asked whether to share.
      guard let group = client.groupState.group.current else {
        return .activationDisabled(.notEligible(.notInGroup))
      }
      let choice = Task.isCancelled ? .cancel : await prompt.choose(metadata, in: group)
      // An answer that arrives after the task was cancelled does not count.
      return await client.conclude(Task.isCancelled ? .cancel : choice, type: type)
    }
  }

  /// Starts this activity with the group, or finds the session that has it already.
  ///
  /// Every device, this one too, receives the session from ``GroupWatchClient/sessions(of:)``.
  ///
  /// - Parameters:
  ///   - client: the client whose group the activity is for.
  ///   - busy: what to do if the group has a session of another activity.
  ///   - position: the position at which the media starts, for example where it stopped last night.
  ///   - rate: the speed at which the media starts to play at once, for example because it plays
  ///     here alone already; `nil` starts paused.
  ///   - control: who controls playback.
  ///   - policy: when the group waits for someone.
  ///   - dismissal: what a dismissal does; `nil` uses the server's setting.
  ///   - oneDevicePerPerson: whether each person takes part with one device only, the one that
  ///     joined last; their previous device is invalidated as handed off.
  ///   - hasAudience: whether those who find no named place watch as its audience: for a premiere
  ///     with thousands. Without it, they are refused.
  /// - Returns: where the session is delivered; on ``SessionDelivery/elsewhere(_:)`` play nothing
  ///   here.
  @discardableResult
  public func activate(
    on client: GroupWatchClient, ifBusy busy: BusyPolicy = .fail, at position: MediaTime? = nil,
    rate: Double? = nil, control: ControlPolicy = .everyone,
    waitingPolicy policy: WaitingPolicy = .keepGoing,
    dismissalPolicy dismissal: DismissalPolicy? = nil, oneDevicePerPerson: Bool = false,
    hasAudience: Bool = false
  ) async throws(GroupWatchError) -> SessionDelivery {
    let activation = Activation(
      try value(on: client), ifBusy: busy, control: control, waitingPolicy: policy,
      dismissalPolicy: dismissal, initialTiming: try Self.timing(position, rate),
      oneDevicePerUser: oneDevicePerPerson, hasAudience: hasAudience)
    return try await client.begin(activation) { .activate($0) }
  }

  /// Attaches this activity to the group, for any member to activate later.
  ///
  /// It comes to every device from ``GroupWatchClient/sessions(of:)``, as ``SessionState/staged``.
  ///
  /// - Parameters: as of `activate`; the start position is set here, not on activation.
  @discardableResult
  public func stage(
    on client: GroupWatchClient, ifBusy busy: BusyPolicy = .fail, at position: MediaTime? = nil,
    control: ControlPolicy = .everyone, waitingPolicy policy: WaitingPolicy = .keepGoing,
    dismissalPolicy dismissal: DismissalPolicy? = nil, oneDevicePerPerson: Bool = false,
    hasAudience: Bool = false
  ) async throws(GroupWatchError) -> SessionDelivery {
    let activation = Activation(
      try value(on: client), ifBusy: busy, control: control, waitingPolicy: policy,
      dismissalPolicy: dismissal, initialTiming: try Self.timing(position, nil),
      oneDevicePerUser: oneDevicePerPerson, hasAudience: hasAudience)
    return try await client.begin(activation) { .stage($0) }
  }

  private static func timing(
    _ position: MediaTime?, _ rate: Double?
  ) throws(GroupWatchError) -> ProposedTiming? {
    guard position != nil || rate != nil else { return nil }
    let rate = try rate.map { (factor) throws(GroupWatchError) in try Rate.checked(factor) }
    return ProposedTiming(mediaTime: position ?? .zero, rate: rate)
  }
}

extension GroupWatchClient {
  fileprivate func begin(_ activation: Activation, as request: (Activation) -> Request)
    async throws(GroupWatchError) -> SessionDelivery
  {
    guard case .activated(let id, _, let comes) = try await ask(request(activation)) else {
      throw .closedSession
    }
    return comes ? .here(id) : .elsewhere(id)
  }

  fileprivate func conclude(_ choice: ShareChoice, type: String) async
    -> GroupActivityActivationResult
  {
    let (decision, preference) = choice.consequence
    if let preference {
      await sharingPreferences.remember(preference, for: type)
      setSharing(preference, type: type)
    }
    switch decision {
    case .activationPreferred: return .activationPreferred
    case .activationDisabled(let reason): return .activationDisabled(reason)
    case .cancelled: return .cancelled
    }
  }
}

/// What to do with an activity; doing it alone and not doing it are different results.
public enum GroupActivityActivationResult: Hashable, Sendable {
  /// Share it with the group: call `activate(on:)`.
  case activationPreferred
  /// Do it alone.
  case activationDisabled(DisabledReason)
  /// Do nothing: neither share it nor do it alone.
  case cancelled
  /// This device is already in a session of this activity.
  case alreadyActive(SessionID)
  /// This device is in a session of the same type: call its `update(activity:)`.
  case updatesSession(SessionID)
}

/// Asks the person whether to share an activity.
public protocol ActivationPrompt: Sendable {
  /// Shows the question; return `cancel` on a dismissal, a timeout or a cancelled task.
  ///
  /// - Parameters:
  ///   - metadata: describes the activity to share.
  ///   - group: the group to share it with. If it has a ``GroupSummary/session``, that session is
  ///     about something else, and sharing replaces it for everyone or fails, as ``BusyPolicy``
  ///     says. Warn the person.
  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice
}

/// Where a new session is delivered.
public enum SessionDelivery: Hashable, Sendable {
  /// To this device.
  case here(SessionID)
  /// To another device of this person: play nothing here, and do not try again.
  case elsewhere(SessionID)

  /// The session.
  public var session: SessionID {
    switch self {
    case .here(let id), .elsewhere(let id): id
    }
  }
}

/// Stores the person's permanent decisions about sharing, for example in an app's settings.
///
/// It is read each time an activity is prepared, so a change in the settings takes effect at once.
public protocol SharingPreferenceStore: Sendable {
  /// Returns the decision for an activity type; `nil` to ask the person.
  func preference(for activityIdentifier: String) async -> SharingPreference?

  /// Stores a decision; `nil` deletes it.
  func remember(_ preference: SharingPreference?, for activityIdentifier: String) async
}

/// Stores decisions in memory until the program exits.
public actor SharingPreferencesInMemory: SharingPreferenceStore {
  private var preferences: [String: SharingPreference] = [:]

  /// Makes an empty store.
  public init() {}

  /// Returns the stored decision; `nil` if there is none.
  public func preference(for activityIdentifier: String) -> SharingPreference? {
    preferences[activityIdentifier]
  }

  /// Stores a decision; `nil` deletes it.
  public func remember(_ preference: SharingPreference?, for activityIdentifier: String) {
    preferences[activityIdentifier] = preference
  }
}
