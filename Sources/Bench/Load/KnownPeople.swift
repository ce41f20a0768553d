import Coordination
import InAppMessaging
import Vocabulary
import Wire

/// A coordinator that knows people, without a server, and with a journal that accepts everything.
struct KnownPeople {
  let count: Int
  private var coordinator = LoadedCoordinator(at: Instant(microseconds: 1_800_000_000_000_000))
  private var requests = Requests()
  private var sequence = 1_000_000

  /// Makes people with a history; nobody is connected.
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

  /// Connects everyone on one device, with the app in the foreground.
  mutating func connectAll() {
    for number in 0..<count { connect(number, by: LoadedCoordinator.peer(number)) }
  }

  /// Makes everyone connect, do something and disconnect, one after the other.
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
    // The message is refused, so that the next one can be delivered; this is not timed.
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

/// One of thousands of people whom a server knows.
struct KnownPerson {
  let number: Int

  static let attributeCount = 10
  static let deviceCount = 3

  var id: UserID { UserID("user-\(number)") }

  /// The identifier of a device, about as long as one with a UUID.
  func device(_ place: Int) -> DeviceID {
    DeviceID("device-\(place)-of-user-\(number)-0123456789ab")
  }

  /// The stored data of the person: devices, attributes, and seen messages.
  ///
  /// No text is shared with other people, as after a recovery from a journal.
  func messaging(at now: Instant) -> UserMessaging {
    var diary = Diary(UserMessaging(id), at: now - .seconds(7_200))
    for place in 0..<Self.deviceCount {
      diary.note(.connected(device(place), epoch: epoch(place)))
    }
    diary.note(.sessionStarted)
    for (key, value) in attributes { diary.note(.attributeSet(key, value)) }
    diary.note(.membershipSet(list: "premium", true))
    for campaign in CampaignMix.seen {
      for _ in 0..<CampaignMix.mostSeen { see(campaign, &diary) }
    }
    return diary.messaging
  }

  /// The client epoch of a device.
  func epoch(_ place: Int) -> UInt64 { UInt64(number * Self.deviceCount + place + 1) }

  private var attributes: [(String, PropertyValue)] {
    [
      ("name", .string("Person \(number)")), ("email", .string("person.\(number)@mail.example")),
      ("age", .number(Double(18 + number % 70))), ("plan", .string("family")),
      ("language", .string("en-GB")), ("country", .string("Scotland")),
      ("isSubscriber", .bool(true)), ("lastTitle", .string("The long way home, Season \(number)")),
      ("signedUp", .string("2025-0\(1 + number % 9)-03T18:00:00Z")),
      ("genres", .list(["drama", "comedy", "documentary"])),
    ]
  }

  private func see(_ campaign: Int, _ diary: inout Diary) {
    let place = diary.sightings % Self.deviceCount
    let message = diary.nextMessage(of: number)
    diary.hear(device(place))
    diary.note(
      .reserved(
        Delivery(
          id: message, campaign: CampaignMix.id(campaign), variant: "a",
          cause: Delivery.Cause(
            event: nil, triggerClass: .contextual, at: diary.now, device: device(place),
            session: nil),
          expires: diary.now + .seconds(300), remembered: CampaignMix.remembered(campaign),
          phase: .offered(to: device(place), at: diary.now))))
    diary.hear(device(place))
    diary.note(.impression(message))
    diary.hear(device(place))
    diary.note(.ended(message, .presented(dismissedBy: .closeButton)))
  }
}

extension KnownPerson {
  /// A person's history, with sequence numbers and instants.
  private struct Diary {
    private(set) var messaging: UserMessaging
    private(set) var now: Instant
    private(set) var sightings = 0
    private var sequence = 0

    init(_ messaging: UserMessaging, at start: Instant) {
      self.messaging = messaging
      now = start
    }

    mutating func note(_ event: MessagingEvent) {
      now = now + .seconds(10)
      messaging.evolve(event, at: now)
    }

    /// Records that a client sent something.
    mutating func hear(_ device: DeviceID) {
      sequence += 1
      note(.logged(EventIdentity(.client(device), sequence)))
    }

    mutating func nextMessage(of person: Int) -> MessageID {
      sightings += 1
      return MessageID("\(person)-\(sightings)")
    }
  }
}
