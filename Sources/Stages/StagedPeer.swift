import EventLoops
import GroupSessions
import MatineeClient
import Participation
import Players
import Scenarios
import Vocabulary

/// One person: a real client over its own poor network, with a player.
final class StagedPeer: LoopParticipantDelegate {
  private var person: ScriptedPerson
  private let proxy: DelayProxy
  private let clients: ClientLoop
  private let makePlayer: (StagedPeer, any PlayerDelegate) -> StagePlayer
  private let seed: UInt64
  private var participant: LoopParticipant?
  private var player: StagePlayer?
  /// The latest answer by token, which may be under way.
  private var tokenAnswer: TokenAnswer?
  /// Called once if the player closes.
  private let onFailure: (String) -> Void

  init(
    _ person: ScriptedPerson, in scenario: Scenario, through proxy: DelayProxy,
    on clients: ClientLoop, seed: UInt64, settings: MpvSettings,
    onPlayer: @escaping (_ socketPath: String) -> Void, onFailure: @escaping (String) -> Void
  ) {
    self.person = person
    self.proxy = proxy
    self.clients = clients
    self.seed = seed
    self.onFailure = onFailure
    makePlayer = { peer, delegate in
      StagePlayer(
        person.profile.player, settings: settings, in: scenario, seed: seed, on: clients.loop,
        delegate: delegate, onLoad: { [unowned peer] in peer.didLoad($0) }, onStart: onPlayer)
    }
    startApp()
  }

  private var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: proxy.localPort) }

  private func startApp() {
    participant = LoopParticipant(
      person.settings, at: endpoint, on: clients, seed: seed, delegate: self
    ) { [unowned self] delegate in
      let player = makePlayer(self, delegate)
      self.player = player
      return player
    }
    participant?.start()
  }

  /// Ends the app but keeps its client, so that its last state can still be observed.
  private func endApp() {
    participant?.close()
    player = nil
  }

  private func didLoad(_ item: ItemID) {
    for act in person.didLoad(item) { carryOut(act) }
  }

  func perform(_ verb: Verb) {
    guard let participant else { return }
    for act in person.perform(verb, with: participant.value) { carryOut(act) }
  }

  func observe(at now: HostTime) -> Observation {
    guard let participant else { return Observation() }
    let seen = player.flatMap { player in
      player.position(at: now).map {
        Observation.Player(position: $0, isRunning: player.isRunning, commands: player.commands)
      }
    }
    return person.observe(participant.value, player: seen, at: now)
  }

  func close() {
    tokenAnswer?.close()
    tokenAnswer = nil
    participant?.close()
    participant = nil
  }

  private func carryOut(_ act: ScriptedPerson.Act) {
    switch act {
    case .ask(let request, let tag): participant?.ask(request, tag: tag)
    case .tell(let input): participant?.take(input)
    case .answerInvitation(let token, let answer):
      tokenAnswer?.close()
      tokenAnswer = TokenAnswer(answer, token: token, to: endpoint, on: clients) {
        [unowned self] in person.hear(answerByToken: $0)
      }
    case .startApp: startApp()
    case .endApp: endApp()
    case .player(.load(let media)): player?.load(media.url, startingAt: nil)
    case .player(.unload): player?.unload()
    case .player(.carryOut(let command)): player?.perform(command)
    case .press(let key): player?.press(key)
    case .stallPlayer(let duration): player?.stall(for: duration)
    case .cutNetwork: proxy.cut()
    case .restoreNetwork: proxy.restore()
    case .setNetwork(let conditions): proxy.conditions = conditions
    case .stallNetwork(let duration): proxy.stall(for: duration)
    }
  }

  func participant(_ participant: LoopParticipant, didPublish update: Client.Update) {
    person.hear(update, from: participant.value)
    for act in person.answer(update) { carryOut(act) }
  }

  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason) {
    onFailure("\(person.profile.name): the player is gone: \(reason)")
  }
}

@available(*, unavailable)
extension StagedPeer: Sendable {}
