public import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

extension GroupActivity {
  /// Finds out whether the person wants to share this, asking only where that is open.
  ///
  /// What holds first counts: a session of this very activity or of its type goes on here; no
  /// session is possible; the person decided once and for all; the person is asked. Without a prompt
  /// an open question means to share.
  ///
  /// - Parameters:
  ///   - client: the client whose group it would be shared with.
  ///   - prompt: asks the person.
  public func prepareForActivation(
    on client: GroupWatchClient, asking prompt: (any ActivationPrompt)? = nil
  ) async throws(GroupWatchError) -> ActivationResult {
    let value = try value()
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
      // Whoever is in no group any more is not asked whether to share.
      guard let group = client.groupState.group.current else {
        return .activationDisabled(.notEligible(.notInGroup))
      }
      let choice = Task.isCancelled ? .cancel : await prompt.choose(metadata, in: group)
      // An answer that comes after the question was taken back is none.
      return await client.conclude(Task.isCancelled ? .cancel : choice, type: type)
    }
  }

  /// Starts this with the group, or finds that it goes on already.
  ///
  /// The session comes to everyone, this device too, by ``GroupWatchClient/sessions(of:)``.
  ///
  /// - Parameters:
  ///   - client: the client whose group it is for.
  ///   - busy: what to do if the group is in a session of something else.
  ///   - place: where the media stands at first, such as where it stopped last night.
  ///   - rate: the speed at which it runs from there at once, such as for what plays here alone
  ///     already; `nil` is paused.
  ///   - control: who steers.
  ///   - policy: when the group waits for someone.
  ///   - dismissal: what a dismissal does; `nil` leaves it to the server.
  ///   - oneDevicePerPerson: whether a person takes part with one device only, the one that joined
  ///     last; the one before is invalidated as handed off.
  /// - Returns: where the session is delivered; on ``SessionDelivery/elsewhere(_:)`` play nothing here.
  @discardableResult
  public func activate(
    on client: GroupWatchClient, ifBusy busy: BusyPolicy = .fail, at place: MediaTime? = nil,
    rate: Double? = nil, control: ControlPolicy = .everyone,
    waitingPolicy policy: WaitingPolicy = .keepGoing,
    dismissalPolicy dismissal: DismissalPolicy? = nil, oneDevicePerPerson: Bool = false
  ) async throws(GroupWatchError) -> SessionDelivery {
    var activation = try activation(busy, control, policy, dismissal, oneDevicePerPerson)
    activation.initialTiming = try Self.timing(place, rate)
    return try await client.begin(activation) { .activate($0) }
  }

  /// Attaches this to the group, for any member to activate, such as for an evening to come.
  ///
  /// It comes to everyone by ``GroupWatchClient/sessions(of:)``, as ``SessionState/staged``.
  ///
  /// - Parameters: as of `activate`; whoever stages it says where the media stands at first.
  @discardableResult
  public func stage(
    on client: GroupWatchClient, ifBusy busy: BusyPolicy = .fail, at place: MediaTime? = nil,
    control: ControlPolicy = .everyone, waitingPolicy policy: WaitingPolicy = .keepGoing,
    dismissalPolicy dismissal: DismissalPolicy? = nil, oneDevicePerPerson: Bool = false
  ) async throws(GroupWatchError) -> SessionDelivery {
    var activation = try activation(busy, control, policy, dismissal, oneDevicePerPerson)
    activation.initialTiming = try Self.timing(place, nil)
    return try await client.begin(activation) { .stage($0) }
  }

  private func activation(
    _ busy: BusyPolicy, _ control: ControlPolicy, _ policy: WaitingPolicy,
    _ dismissal: DismissalPolicy?, _ oneDevicePerPerson: Bool
  ) throws(GroupWatchError) -> Activation {
    Activation(
      try value(), ifBusy: busy, control: control, waitingPolicy: policy,
      dismissalPolicy: dismissal, oneDevicePerUser: oneDevicePerPerson)
  }

  private static func timing(
    _ place: MediaTime?, _ rate: Double?
  ) throws(GroupWatchError) -> ProposedTiming? {
    guard place != nil || rate != nil else { return nil }
    let rate = try rate.map { (factor) throws(GroupWatchError) in try Rate.checked(factor) }
    return ProposedTiming(mediaTime: place ?? .zero, rate: rate)
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

  fileprivate func conclude(_ choice: ShareChoice, type: String) async -> ActivationResult {
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

/// What is to be done about an activity; alone and not at all are different things.
public enum ActivationResult: Hashable, Sendable {
  /// Start it with the group: call `activate(on:)`.
  case activationPreferred
  /// Do it alone.
  case activationDisabled(DisabledReason)
  /// Do nothing at all: neither share it nor do it alone.
  case cancelled
  /// This very thing goes on already in a session this device is in.
  case alreadyActive(SessionID)
  /// A session of the same type goes on: call its `update(activity:)`.
  case updatesSession(SessionID)
}

/// Asks the person what is meant.
public protocol ActivationPrompt: Sendable {
  /// Shows the question; a dismissal, a time limit or a cancelled task is `cancel`.
  ///
  /// - Parameters:
  ///   - metadata: what would be shared.
  ///   - group: with whom. If it is in a ``GroupSummary/session`` already, that is about something
  ///     else, and sharing replaces it for everyone or fails, as ``BusyPolicy`` says: people want to
  ///     be warned.
  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice
}

/// Where a session that was started is delivered.
public enum SessionDelivery: Hashable, Sendable {
  /// It comes to this device.
  case here(SessionID)
  /// It comes to another device of this person's: nothing is to be played here, nor tried again.
  case elsewhere(SessionID)

  /// The session.
  public var session: SessionID {
    switch self {
    case .here(let id), .elsewhere(let id): id
    }
  }
}
