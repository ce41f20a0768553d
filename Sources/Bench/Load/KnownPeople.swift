import Coordination
import InAppMessaging
import Vocabulary
import Wire

/// A coordinator that knows people, with no server around it and a journal that keeps everything.
struct KnownPeople {
  let count: Int
  private var coordinator = LoadedCoordinator(at: Instant(microseconds: 1_800_000_000_000_000))
  private var requests = Requests()
  private var sequence = 1_000_000

  /// People with a history; nobody is connected.
  init(_ count: Int, campaigns: CampaignSet) {
    self.count = count
    var recovery = Recovery()
    for number in 0..<count {
      let person = KnownPerson(number: number)
      do throws(BrokenStream) {
        try recovery.take(
          RecordedStream(.user(person.id), snapshot: .user(person.messaging(at: coordinator.now))))
      } catch {
        preconditionFailure("\(error)")
      }
    }
    _ = coordinator.take(.recovered(recovery))
    _ = coordinator.take(.campaigns(campaigns))
  }

  /// Everyone has the app in sight, on one device.
  mutating func connectAll() {
    for number in 0..<count { connect(number, by: LoadedCoordinator.peer(number)) }
  }

  /// Everyone comes, does something and goes away, one after the other.
  mutating func visit() {
    for number in 0..<count {
      connect(number, by: LoadedCoordinator.peer(0))
      _ = time(of: .refused, to: 0)
      _ = coordinator.take(.disconnected(LoadedCoordinator.peer(0)))
    }
  }

  private mutating func connect(_ number: Int, by peer: PeerID) {
    let person = KnownPerson(number: number)
    _ = coordinator.take(.connected(peer))
    _ = coordinator.take(
      .received(
        peer, .hello(Hello(user: person.id, device: person.device(0), name: "Peer", features: []))))
    let state = AppState(
      isVisible: true, epoch: Int(person.epoch(0)), app: Self.app, version: Self.version)
    _ = coordinator.take(.received(peer, requests.next(.messaging(.appState(state)))))
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
    let outputs = coordinator.take(.received(LoadedCoordinator.peer(person), request))
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
    coordinator.take(.received(LoadedCoordinator.peer(person), requests.next(.messaging(request))))
  }
}

extension Output {
  /// The message that this output delivers.
  fileprivate var delivered: MessageID? {
    if case .send(.inAppMessage(let delivery), _) = self { delivery.message.id } else { nil }
  }
}
