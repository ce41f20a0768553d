import Vocabulary

/// The messages that are not on screen: those that the app is asked about, and those that wait.
struct WaitingMessages: Equatable, Sendable {
  /// Where a message waits.
  enum Place: Equatable {
    /// For the app, or the drain policy, to take the next one.
    case stack
    /// For the message on screen, whose click triggered this one.
    case followUp
    /// For the screen: it belongs to a session.
    case deferral
    /// For a display.
    case held
  }

  /// A message that was displaced, and why.
  typealias Displaced = (delivery: OfferedMessage, refusal: InAppMessage.Refusal)

  /// A message the app is asked about; the screen is free for the first that is answered.
  private struct Offer: Equatable {
    let token: PresentationToken
    var delivery: OfferedMessage
    let due: HostTime
  }

  private var offers: [Offer] = []
  /// The last is the top.
  private var stack: [OfferedMessage] = []
  private var followUp: OfferedMessage?
  /// One player for each session, and what else belongs to it.
  private var deferred: [OfferedMessage] = []
  private var held: [OfferedMessage] = []

  /// The messages on the stack, the next one first.
  var stacked: [InAppMessage] { stack.reversed().map(\.message) }

  /// The next message of the stack.
  var top: OfferedMessage? { stack.last }

  /// How many messages the app is asked about.
  var offerCount: Int { offers.count }

  func contains(_ id: MessageID) -> Bool {
    followUp?.id == id || offers.contains { $0.delivery.id == id }
      || [stack, deferred, held].contains { $0.contains { $0.id == id } }
  }

  // MARK: The app is asked

  mutating func offer(_ delivery: OfferedMessage, _ token: PresentationToken, until due: HostTime) {
    offers.append(Offer(token: token, delivery: delivery, due: due))
  }

  /// Takes the message that the app answered about; `nil` if the question is over.
  mutating func takeOffer(_ token: PresentationToken) -> OfferedMessage? {
    offers.firstIndex { $0.token == token }.map { offers.remove(at: $0).delivery }
  }

  /// Gives a session's player that the app is asked about another one's words and video.
  ///
  /// - Returns: whether there is one.
  mutating func showInOffer(_ newer: InAppMessage) -> Bool {
    let place = offers.firstIndex {
      $0.delivery.message.isPlayer && $0.delivery.message.session == newer.session
    }
    guard let place else { return false }
    offers[place].delivery.message.takeWords(of: newer)
    if let media = SessionMedia(newer) { offers[place].delivery.message.show(media) }
    return true
  }

  /// What to do when its time has come.
  enum Due: Equatable {
    /// The app made no choice.
    case choice(PresentationToken)
    /// Nobody set a display.
    case held(MessageID)
  }

  /// Its deadlines.
  var dues: [(time: HostTime, due: Due)] {
    // A time to live includes its last moment.
    offers.map { ($0.due, .choice($0.token)) }
      + held.compactMap { delivery in
        delivery.expires.map { ($0 + .microseconds(1), .held(delivery.id)) }
      }
  }

  // MARK: Waiting

  /// Lets a message wait.
  ///
  /// - Returns: those that make way, in order.
  mutating func put(
    _ delivery: OfferedMessage, _ place: Place, _ settings: PresenterSettings
  ) -> [Displaced] {
    switch place {
    case .stack: return push(delivery, settings)
    case .followUp:
      let displaced = followUp.map { push($0, settings) } ?? []
      followUp = delivery
      return displaced
    case .deferral: return Self.add(delivery, to: &deferred, atMost: settings.questionLimit)
    case .held: return Self.add(delivery, to: &held, atMost: settings.stackLimit)
    }
  }

  /// Adds a delivery; a player takes the place of another of its session.
  private static func add(
    _ delivery: OfferedMessage, to list: inout [OfferedMessage], atMost limit: Int
  ) -> [Displaced] {
    let older = list.filter {
      $0.message.isPlayer && delivery.message.isPlayer
        && $0.message.session == delivery.message.session
    }
    list.removeAll { older.contains($0) }
    list.append(delivery)
    return older.map { ($0, .replaced) } + overflow(of: &list, limit)
  }

  private mutating func push(
    _ delivery: OfferedMessage, _ settings: PresenterSettings
  ) -> [Displaced] {
    let equal = stack.filter { $0.isSame(as: delivery) && $0.id != delivery.id }
    stack.removeAll { $0.isSame(as: delivery) || $0.id == delivery.id }
    stack.append(delivery)
    return equal.map { ($0, .replaced) } + Self.overflow(of: &stack, settings.stackLimit)
  }

  /// Takes out the oldest if there are too many; a player only if there is nothing else.
  private static func overflow(of list: inout [OfferedMessage], _ limit: Int) -> [Displaced] {
    guard list.count > limit else { return [] }
    let place = list.firstIndex { !$0.message.isPlayer } ?? list.startIndex
    return [(list.remove(at: place), .overflow)]
  }

  // MARK: Taking out

  mutating func popStack() -> OfferedMessage? { stack.popLast() }

  mutating func takeFollowUp() -> OfferedMessage? {
    defer { followUp = nil }
    return followUp
  }

  /// Takes the first session's message that matches.
  mutating func takeDeferred(where matches: (OfferedMessage) -> Bool) -> OfferedMessage? {
    deferred.firstIndex(where: matches).map { deferred.remove(at: $0) }
  }

  mutating func takeHeld() -> [OfferedMessage] {
    defer { held = [] }
    return held
  }

  mutating func takeFromStack(where matches: (OfferedMessage) -> Bool) -> [OfferedMessage] {
    defer { stack.removeAll(where: matches) }
    return stack.filter(matches)
  }

  /// Takes out deliveries, wherever they wait, also those that the app is asked about.
  mutating func take(where matches: (OfferedMessage) -> Bool) -> [OfferedMessage] {
    var found = stack.filter(matches) + deferred.filter(matches) + held.filter(matches)
    found += offers.map(\.delivery).filter(matches)
    stack.removeAll(where: matches)
    deferred.removeAll(where: matches)
    held.removeAll(where: matches)
    offers.removeAll { matches($0.delivery) }
    if let followUp, matches(followUp) {
      found.append(followUp)
      self.followUp = nil
    }
    return found
  }

  /// Takes all of them; of the stack the next one first.
  mutating func takeAll() -> [OfferedMessage] {
    defer { self = WaitingMessages() }
    return stack.reversed() + deferred + held + offers.map(\.delivery)
      + [followUp].compactMap(\.self)
  }
}
