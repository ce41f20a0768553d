import Coordination
import InAppMessaging
import Vocabulary
import Wire

/// A coordinator that knows people, with no server around it and a journal that keeps everything.
struct KnownPeople {
  let count: Int
  private var coordinator: Coordinator
  private var requests = Requests()
  private var now = Instant(microseconds: 1_800_000_000_000_000)
  private var entropy = SplitMix64(seed: 1)
  private var sequence = 1_000_000

  /// Everything happens in quick succession here.
  private static let limits: Limits = {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    limits.peers = 1_000_000
    return limits
  }()

  /// People with a history; nobody is connected.
  init(_ count: Int, campaigns: CampaignSet) {
    self.count = count
    coordinator = Coordinator(limits: Self.limits)
    var recovery = Recovery()
    for number in 0..<count {
      let person = KnownPerson(number: number)
      do throws(BrokenStream) {
        try recovery.take(
          RecordedStream(.user(person.id), snapshot: .user(person.messaging(at: now))))
      } catch {
        preconditionFailure("\(error)")
      }
    }
    _ = take(.recovered(recovery))
    _ = take(.campaigns(campaigns))
  }

  /// Everyone has the app in sight, on one device.
  mutating func connectAll() {
    for number in 0..<count { connect(number, by: Self.peer(number)) }
  }

  /// Everyone comes, does something and goes away, one after the other.
  mutating func visit() {
    for number in 0..<count {
      connect(number, by: Self.peer(0))
      _ = time(of: .refused, to: 0)
      _ = take(.disconnected(Self.peer(0)))
    }
  }

  private mutating func connect(_ number: Int, by peer: PeerID) {
    let person = KnownPerson(number: number)
    _ = take(.connected(peer))
    _ = take(
      .received(
        peer, .hello(Hello(user: person.id, device: person.device(0), name: "Peer", features: []))))
    let state = AppState(
      isVisible: true, epoch: Int(person.epoch(0)), app: Self.app, version: Self.version)
    _ = take(.received(peer, requests.next(.messaging(.appState(state)))))
  }

  private static let app = "tv.matinee.example"
  private static let version = "2.10.1"

  /// A device as those of the people are.
  static func presence(of device: DeviceID, at now: Instant) -> DevicePresence {
    DevicePresence(device, lastActive: now, app: app, version: version)
  }

  /// The time from a person's event to the last of its outputs, in nanoseconds.
  mutating func time(of happening: Happening, to person: Int) -> Double {
    sequence += 1
    let request = requests.next(
      .messaging(.logEvent(CampaignMix.event, happening.properties, sequence: sequence)))
    let start = ContinuousClock.now
    let outputs = take(.received(Self.peer(person), request))
    let time = ContinuousClock.now - start
    let message = outputs.lazy.compactMap(\.delivered).first
    precondition((message != nil) == (happening == .delivering), "\(happening) was \(outputs)")
    // It makes room for the next one, and counts for nothing.
    if let message {
      _ = hear(.report(message, .refused(.suppressed), sequence: nil), from: person)
    }
    return time.nanoseconds
  }

  private mutating func hear(_ request: MessagingRequest, from person: Int) -> [Output] {
    take(.received(Self.peer(person), requests.next(.messaging(request))))
  }

  /// Takes an input in, and keeps whatever is to be kept.
  private mutating func take(_ input: Input) -> [Output] {
    now = now + .microseconds(10)
    coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in entropy.next() })
    var outputs = coordinator.handle(input, at: now)
    var next = 0
    while next < outputs.count {
      if case .append(let append) = outputs[next] {
        outputs += coordinator.handle(.appended(append, .kept), at: now)
      }
      next += 1
    }
    return outputs
  }

  private static func peer(_ place: Int) -> PeerID {
    PeerID(slot: UInt32(place), generation: 0)
  }
}

extension Output {
  /// The message that this output delivers.
  fileprivate var delivered: MessageID? {
    if case .send(.inAppMessage(let delivery), _) = self { delivery.message.id } else { nil }
  }
}
