import InAppMessaging
import Participation
import Vocabulary
import Wire

/// The least of a server with campaigns: it notes what it is told, and may answer an event with a
/// message.
struct CampaignStandIn {
  struct Heard: Equatable {
    let member: Int
    let request: MessagingRequest
  }

  /// Everything that was not a repeat, in order.
  private(set) var heard: [Heard] = []
  private(set) var repeats = 0
  /// The message that an event brings, if any.
  var message: (MessagingRequest, Heard) -> InAppMessage? = { _, _ in nil }
  /// What it says of campaigns.
  var explanations: [Explanation] = []
  /// The error it has for everything.
  var error: ProtocolError?
  /// The answer it has for everything else.
  var answer = Answer.done(seq: nil)
  private var marks: [Int: Int] = [:]

  mutating func answers(
    to request: MessagingRequest, _ id: RequestID, of member: Int, at now: Instant
  ) -> [ServerMessage] {
    if let error { return [.error(id, error)] }
    if let sequence = request.sequence {
      guard sequence > marks[member] ?? 0 else {
        repeats += 1
        return [.answer(id, .done(seq: nil))]
      }
      marks[member] = sequence
    }
    if case .explain = request { return [.explanation(id, explanations)] }
    let entry = Heard(member: member, request: request)
    heard.append(entry)
    let message = message(request, entry).map { message in
      ServerMessage.inAppMessage(
        MessageDelivery(message, expires: now + .seconds(300)))
    }
    return [.answer(id, answer)] + [message].compactMap(\.self)
  }

  func requests(of member: Int) -> [MessagingRequest] {
    heard.filter { $0.member == member }.map(\.request)
  }

  /// The names of a member's events, and what was reported of deliveries, as words.
  func words(of member: Int) -> [String] {
    requests(of: member).map { request in
      switch request {
      case .appState(let state):
        (state.change?.rawValue ?? "state") + (state.isVisible ? " visible" : " hidden")
      case .logEvent(let name, _, _): name
      case .report(let id, .dismissed, _): "\(id) dismissed"
      case .report(let id, .refused(let refusal), _): "\(id) refused \(refusal.rawValue)"
      case .report(let id, let report, _): "\(id) \(report)"
      case .setAttributes(let attributes): "attributes \(attributes.keys.sorted())"
      default: "\(request)"
      }
    }
  }
}

extension MessagingRequest {
  var sequence: Int? {
    switch self {
    case .appState(let state): state.sequence
    case .logEvent(_, _, let sequence), .logPurchase(_, _, let sequence),
      .logPushOpened(_, let sequence), .report(_, _, let sequence):
      sequence
    default: nil
    }
  }
}

extension ParticipantStage {
  /// A person with something to show messages on, who says yes to everything.
  static func watching(_ settings: inout ClientSettings) {
    settings.platform = PlatformState()
    settings.mediaEvent = "SharePlay Event"
    settings.presenter.mediaURLs.allowsFiles = true
    settings.presenter.mediaURLs.trustedHosts = ["films.example"]
  }

  /// What an app and its views would do at once.
  mutating func follow(_ output: MessagePresenter.Output, _ member: Int) {
    guard members[member].draws else { return }
    switch output {
    case .ask(let question, let token): feed(.presenter(question.agreement(token)), to: member)
    case .view(.show, let token): feed(.presenter(.view(.presented, token)), to: member)
    case .view(.dismiss, let token): feed(.presenter(.view(.dismissed, token)), to: member)
    default: break
    }
  }

  mutating func deliver(_ message: InAppMessage, to member: Int, wasSeen: Bool = false) {
    guard let peer = members[member].peer else { return }
    let delivery = MessageDelivery(message, expires: instant + .seconds(300), wasSeen: wasSeen)
    send(.inAppMessage(delivery), to: peer)
  }

  mutating func view(_ event: MessageViewEvent, of member: Int) {
    guard let token = members[member].participant.presenter.currentToken else { return }
    feed(.presenter(.view(event, token)), to: member)
  }

  func visible(_ member: Int) -> InAppMessage? {
    members[member].participant.presenter.visibleMessage
  }

  func outputs(of member: Int) -> [MessagePresenter.Output] {
    members[member].updates.compactMap {
      if case .presenter(let output) = $0.update { output } else { nil }
    }
  }

  /// How often this member told the server that it goes.
  func leaves(of member: Int) -> Int {
    requests(of: member).count {
      switch $0 {
      case .leave, .dismiss: true
      default: false
      }
    }
  }
}
