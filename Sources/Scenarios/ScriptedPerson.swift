package import GroupSessions
import InAppMessaging
package import Participation
import UserNotifications
package import Vocabulary
package import Wire

/// A person of a scenario as a value: it turns verbs into orders for a client, a player and a
/// network, and remembers what the person saw.
///
/// The stage in memory carries out its acts; a stage with sockets has people of its own.
package struct ScriptedPerson: Equatable, Sendable {
  /// An order for the stage.
  package enum Act: Equatable, Sendable {
    /// Send this request with the person's client.
    case ask(Request, Client.Tag)
    /// Pass this input to the person's client.
    case tell(Client.Input)
    /// Control the player without the client, because the person watches alone.
    case player(Client.PlayerOrder)
    /// Answer an invitation over a separate connection without a hello, and report to
    /// ``hear(answerByToken:)``.
    case answerInvitation(token: String, InvitationAnswer)
    /// Create another client with the same settings, which begins to connect.
    case startApp
    /// Close the client; another one may follow.
    case endApp
    case press(PlayerKey)
    case stallPlayer(Duration)
    case cutNetwork
    case restoreNetwork
    case setNetwork(NetworkConditions)
    case stallNetwork(Duration)
  }

  package let profile: ScenarioPeer
  let scenario: Scenario
  /// The media that the person watches alone.
  var aloneItem: MediaItem?
  private var nextTag: Client.Tag = 1
  private var names: [ParticipantID: String] = [:]
  private var outcome: String?
  /// Why the last verb was not performed, or the error code of its request.
  package private(set) var refusal: String?
  private var heard: [String] = []
  /// The person's notifications.
  var notifications = ScriptedNotifications()
  /// The tag of an unanswered request to join a session.
  private var joining: Client.Tag?
  private var connection = Observation.Connection.connecting
  private var ending: Ending?

  private struct Ending: Equatable, Sendable {
    let reason: String
    let by: String?
  }

  /// A person before the first verb.
  package init(_ profile: ScenarioPeer, in scenario: Scenario) {
    self.profile = profile
    self.scenario = scenario
  }

  /// The settings of the person's client: the peer's name is the device and, unless another user is
  /// set, the user.
  package var settings: ClientSettings {
    var settings = ClientSettings(
      user: UserID(profile.person), device: DeviceID(profile.name),
      name: profile.name)
    if scenario.campaigns != nil { addMessages(to: &settings) }
    return settings
  }
}

// MARK: Verbs

extension ScriptedPerson {
  /// Turns a verb into acts; if something that it needs is missing, it sets a refusal.
  package mutating func perform(_ verb: Verb, with client: Client) -> [Act] {
    refusal = nil
    notifications.forgetNews()
    note(client.session)
    if let acts = notificationActs(verb, client) { return acts }
    switch verb {
    case .activate(let item, let answer, let manner):
      return activate(item, answer, manner, with: client)
    case .stage(let item, let manner):
      return media(item).map { [ask(.stage(activation(of: activity($0), manner)))] } ?? []
    case .press(let key): return [.press(key)]
    case .stall(let time): return [.stallPlayer(time)]
    case .cutNetwork: return [.cutNetwork]
    case .restoreNetwork: return [.restoreNetwork]
    case .setNetwork(let conditions): return [.setNetwork(conditions)]
    case .stallNetwork(let time): return [.stallNetwork(time)]
    case .setVisible(let isVisible): return setVisible(isVisible, client)
    case .countdown(let isWanted): return [.tell(.countdown(isWanted))]
    case .logEvent, .dismissMessage, .clickMessage, .presentNext:
      return input(for: verb, client).map { [.tell($0)] } ?? []
    default: break
    }
    if client.session == nil, let alone = aloneAct(verb) { return [alone] }
    guard let request = request(for: verb, with: client) else { return [] }
    if verb == .join { joining = nextTag }
    return [ask(request)]
  }

  /// Starts the player once it has loaded what the person watches alone.
  package mutating func didLoad(_ item: ItemID) -> [Act] {
    guard aloneItem?.item == item else { return [] }
    return [.player(.carryOut(.play(rate: 1)))]
  }

  mutating func ask(_ request: Request) -> Act {
    defer { nextTag += 1 }
    return .ask(request, nextTag)
  }

  /// Activates with one of GroupActivities' three outcomes: with the group, alone, or cancelled.
  private mutating func activate(
    _ name: String?, _ answer: ShareAnswer, _ manner: ActivationManner, with client: Client
  ) -> [Act] {
    guard let media = media(name) else { return [] }
    let activity = activity(media)
    switch client.adviseActivation(of: activity) {
    case .alreadyIn:
      outcome = Outcome.preferred
      return []
    case .update:
      outcome = Outcome.preferred
      return [ask(.setActivity(nil, activity, ifRevision: nil))]
    case .disabled: return playAlone(media)
    case .preferred: return share(activity, manner)
    case .ask:
      switch answer {
      case .share: return share(activity, manner)
      case .me: return playAlone(media)
      case .cancel:
        outcome = Outcome.cancelled
        return []
      }
    }
  }

  private mutating func share(_ activity: GroupActivity, _ manner: ActivationManner) -> [Act] {
    outcome = Outcome.preferred
    return [ask(.activate(activation(of: activity, manner)))]
  }

  private mutating func playAlone(_ media: MediaItem) -> [Act] {
    outcome = Outcome.disabled
    aloneItem = media
    return [.player(.load(media))]
  }

  private func aloneAct(_ verb: Verb) -> Act? {
    guard aloneItem != nil else { return nil }
    return switch verb {
    case .play: .player(.carryOut(.play(rate: 1)))
    case .pause: .player(.carryOut(.pause))
    case .seek(let position): .player(.carryOut(.seek(to: position)))
    case .setRate(let rate): .player(.carryOut(.setRate(rate.factor)))
    default: nil
    }
  }

  /// Records why a verb was not performed.
  mutating func refuse<Wish>(_ code: String) -> Wish? {
    refusal = code
    return nil
  }

  private enum Outcome {
    static let preferred = "activationPreferred"
    static let disabled = "activationDisabled"
    static let cancelled = "cancelled"
  }
}

// MARK: Observing

extension ScriptedPerson {
  /// Records a client's update.
  package mutating func hear(_ update: Client.Update, from client: Client) {
    note(client.session)
    notifications.hear(update)
    switch update {
    case .connection(let state): connection = Observation.Connection(state)
    case .outcome(let tag, .failed(let failure)):
      if tag == joining { joining = nil }
      refusal = failure.name
    case .reportLost(_, .responded(_, _), let failure?): refusal = failure.name
    case .session(_, .waiting): ending = nil
    case .session(_, .joined):
      joining = nil
      ending = nil
      aloneItem = nil
    case .session(_, .message(let payload, _, _, _)): heard.append(payload.spoken)
    case .session(_, .chat(let lines)): heard += lines.map(\.payload.spoken)
    case .session(_, .invalidated(let reason)):
      joining = nil
      ending = Ending(reason: reason.name, by: reason.originator.flatMap { names[$0] })
    default: break
    }
  }

  /// Records the outcome of an answer with a token.
  package mutating func hear(answerByToken failure: Client.Failure?) {
    if let failure { refusal = failure.name }
  }

  private mutating func note(_ session: GroupSession?) {
    guard let session else { return }
    for participant in session.participants.values {
      names[participant.id] = participant.name
    }
  }

  /// The current observation of the person.
  ///
  /// - Parameters:
  ///   - player: the person's player, if it has loaded anything.
  ///   - now: the time on the client's clock.
  package func observe(
    _ client: Client, player: Observation.Player?, at now: HostTime
  ) -> Observation {
    var seen = Observation()
    seen.connection = connection
    if case .ineligible(let reason) = client.eligibility {
      seen.ineligibility = reason.rawValue
    } else {
      seen.ineligibility = nil
    }
    seen.session = sessionState(client)
    seen.outcome = outcome
    seen.refusal = refusal
    seen.heard = heard
    seen.message = client.presenter.visibleMessage?.campaign?.id.text
    seen.stack = client.presenter.stackedMessages.compactMap(\.campaign?.id.text)
    notifications.fill(&seen)
    seen.player = player
    if let session = client.session { seen.fill(session, client, at: client.instant(at: now)) }
    return seen
  }

  private func sessionState(_ client: Client) -> Observation.Session {
    if client.session != nil { return .joined }
    if joining != nil { return .joining }
    if let offer = client.offer { return offer.isStaged ? .staged : .offered }
    return ending.map { .invalidated($0.reason, by: $0.by) } ?? .none
  }
}

extension Observation.Connection {
  fileprivate init(_ state: Client.ConnectionState) {
    switch state {
    case .connecting: self = .connecting
    case .online: self = .connected
    case .reconnecting: self = .reconnecting
    case .offline: self = .closed
    }
  }
}
