package import GroupSessions
import InAppMessaging
package import Participation
import Playback
import UserNotifications
package import Vocabulary
package import Wire

/// A person of a scenario as a value: turns verbs into what a client, a player and a network are
/// told, and keeps what the person saw.
///
/// Every stage uses the same one; a stage only carries its acts out.
package struct ScriptedPerson: Equatable, Sendable {
  /// What a stage is to do for a person.
  package enum Act: Equatable, Sendable {
    /// Hand this to the person's client.
    case ask(Request, Client.Tag)
    /// Tell the person's client what happened to the app, its messages and its notifications.
    case tell(Client.Input)
    /// Tell the player, past the client: the person watches alone.
    case player(Client.PlayerOrder)
    /// Answer an invitation over a connection of its own, which says hello to nobody; what comes of it
    /// is for ``hear(answerByToken:)``.
    case answerInvitation(token: String, InvitationAnswer)
    /// Make another client of the same settings, which begins to connect.
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
  var scenario: Scenario
  /// What the person watches alone.
  var aloneItem: MediaItem?
  private var nextTag: Client.Tag = 1
  private var names: [ParticipantID: String] = [:]
  private var outcome: String?
  /// Why the last verb was not asked for, or what became of it.
  package private(set) var refusal: String?
  private var heard: [String] = []
  /// What the person sees and does of notifications.
  var notifications = ScriptedNotifications()
  /// Under which the session was joined, while that is not answered.
  private var joining: Client.Tag?
  private var connection = Observation.Connection.connecting
  private var ending: Ending?

  private struct Ending: Equatable, Sendable {
    let reason: String
    let by: String?
  }

  /// A person that has done nothing yet.
  package init(_ profile: ScenarioPeer, in scenario: Scenario) {
    self.profile = profile
    self.scenario = scenario
  }

  /// Adds something to watch, to be named by verbs; what is known by that name stays.
  package mutating func bring(_ item: ScenarioItem) {
    guard scenario.item(item.name) == nil else { return }
    scenario.items.append(item)
  }

  /// What the person's client is told of the person: the name serves as device too, and as user
  /// where no other is named.
  package var settings: ClientSettings {
    var settings = ClientSettings(
      user: UserID(profile.person), device: DeviceID(profile.name),
      name: profile.name)
    if scenario.campaigns != nil { addMessages(to: &settings) }
    return settings
  }
}

// MARK: Doing

extension ScriptedPerson {
  /// Turns a verb into acts; what the verb needs and is not there shows as a refusal.
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
    case .logEvent, .dismissMessage, .clickMessage, .presentNext:
      return input(for: verb, client).map { [.tell($0)] } ?? []
    default: break
    }
    if client.session == nil, let alone = aloneAct(verb) { return [alone] }
    guard let request = request(for: verb, with: client) else { return [] }
    if verb == .join { joining = nextTag }
    return [ask(request)]
  }

  /// The player has opened what the person watches alone: it begins.
  package mutating func didLoad(_ item: ItemID) -> [Act] {
    guard aloneItem?.item == item else { return [] }
    return [.player(.carryOut(.play(rate: 1)))]
  }

  mutating func ask(_ request: Request) -> Act {
    defer { nextTag += 1 }
    return .ask(request, nextTag)
  }

  /// GroupActivities' three outcomes, kept apart: with the group, alone, not at all.
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
    case .seek(let place): .player(.carryOut(.seek(to: place)))
    case .setRate(let rate): .player(.carryOut(.setRate(rate.factor)))
    default: nil
    }
  }

  /// Notes why a verb came to nothing.
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

// MARK: Seeing

extension ScriptedPerson {
  /// Takes in what the client tells its app.
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
    case .session(_, .message(let payload, _, _)): heard.append(payload.spoken)
    case .session(_, .invalidated(let reason)):
      joining = nil
      ending = Ending(reason: reason.name, by: reason.originator.flatMap { names[$0] })
    default: break
    }
  }

  /// Takes in what came of an answer by token.
  package mutating func hear(answerByToken failure: Client.Failure?) {
    if let failure { refusal = failure.name }
  }

  private mutating func note(_ session: GroupSession?) {
    guard let session else { return }
    for participant in session.participants.values {
      names[participant.id] = participant.name
    }
  }

  /// What is to be seen of the person now.
  ///
  /// - Parameters:
  ///   - client: the person's client.
  ///   - player: the person's player, if it has anything open.
  ///   - now: the moment on the client's clock.
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
