import GroupSessions
import Participation
import Playback
public import Vocabulary
import Wire

/// What is to be done about an activity; alone and not at all are different things.
public enum ActivationResult: Hashable, Sendable {
  /// Start it with the group: call `activate(on:)`.
  case activationPreferred
  /// Do it alone; the reason's stable name says why.
  case activationDisabled(String)
  /// Do nothing at all.
  case cancelled
  /// This very thing goes on already in a session this device is in.
  case alreadyActive(SessionID)
  /// A session of the same type goes on: call its `update(activity:)`.
  case updatesSession(SessionID)
}

/// What a person answered when asked whether to share.
public enum ShareChoice: Hashable, Sendable {
  /// With the group; remembered for activities of this type if so wished.
  case share(remembers: Bool)
  /// Alone; remembered for activities of this type if so wished.
  case onlyMe(remembers: Bool)
  /// Dismissed.
  case cancel
}

/// Asks the person what is meant.
public protocol ActivationPrompt: Sendable {
  /// Shows the question; a dismissal, a time limit or a cancelled task is `cancel`.
  func choose(_ metadata: GroupActivityMetadata) async -> ShareChoice
}

/// What to do if the group is in a session of something else.
public enum BusyPolicy: Hashable, Sendable {
  /// Fail with ``GroupWatchError/Code/activityInProgress``.
  case fail
  /// End that session, and begin this one.
  case replace
}

extension GroupActivity {
  /// Finds out whether the person wants to share this, asking only where that is open.
  ///
  /// - Parameters:
  ///   - client: the client whose group it would be shared with.
  ///   - prompt: asks the person; without one, an open question means to share.
  public func prepareForActivation(
    on client: GroupWatchClient, asking prompt: (any ActivationPrompt)? = nil
  ) async throws(GroupWatchError) -> ActivationResult {
    let value = try value()
    let advice = await client.look { participant, _ in participant.adviseActivation(of: value) }
    switch advice {
    case nil: throw GroupWatchError(Participation.Participant.Failure.closed)
    case .alreadyIn(let id): return .alreadyActive(id)
    case .update(let id): return .updatesSession(id)
    case .disabled(let obstacle): return .activationDisabled(obstacle.name)
    case .preferred: return .activationPreferred
    case .ask:
      guard let prompt else { return .activationPreferred }
      let choice = Task.isCancelled ? .cancel : await prompt.choose(metadata)
      return client.conclude(Task.isCancelled ? .cancel : choice, type: Self.activityIdentifier)
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
  ///   - policy: when the group waits for someone.
  /// - Returns: the session that it goes on in.
  @discardableResult
  public func activate(
    on client: GroupWatchClient, ifBusy busy: BusyPolicy = .fail, at place: MediaTime? = nil,
    waitingPolicy policy: WaitingPolicy = .keepGoing
  ) async throws(GroupWatchError) -> SessionID {
    let activation = Activation(
      try value(), ifBusy: busy == .replace ? .replace : .fail, waitingPolicy: policy.value,
      initialTiming: place.map { ProposedTiming(mediaTime: $0) })
    guard case .activated(let id, _, _) = try await client.ask(.activate(activation)) else {
      throw .closedSession
    }
    return id
  }
}

extension GroupWatchClient {
  func conclude(_ choice: ShareChoice, type: String) -> ActivationResult {
    let choice: SharingChoice =
      switch choice {
      case .share(let remembers): .share(remembers: remembers)
      case .onlyMe(let remembers): .onlyMe(remembers: remembers)
      case .cancel: .cancel
      }
    let (decision, preference) = choice.consequence
    if let preference { setSharing(preference, type: type) }
    switch decision {
    case .activationPreferred: return .activationPreferred
    case .activationDisabled(let obstacle): return .activationDisabled(obstacle.name)
    case .cancelled: return .cancelled
    }
  }
}

extension SharingObstacle {
  var name: String {
    switch self {
    case .notEligible(let reason): reason.rawValue
    case .preference: "neverShares"
    case .choice: "onlyMe"
    }
  }
}
