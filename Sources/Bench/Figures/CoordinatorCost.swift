import Coordination
import GroupSessions
import Playback
import Vocabulary
import Wire

/// What the coordinator itself takes for a pause, from the decoded command to its outputs.
struct CoordinatorCost {
  let effort: Effort

  private static let audiences = [10, 1000, 5000]

  func measure(into section: inout Section) {
    var largest = 0.0
    var smallest = 0.0
    for audience in Self.audiences {
      var hall = Hall(audience: audience)
      let times = (0..<effort.codings / 10).map { _ in hall.pauseTime() }
      let time = times.median / 1000
      if smallest == 0 { smallest = time }
      largest = time
      section.figures.append(
        Figure(
          name: "a pause with \(audience) participants", value: time, unit: "µs",
          detail: "99th percentile \(rounded(times.percentile(99) / 1000)) µs"))
    }
    section.figures.append(
      Figure(
        name: "largest audience to smallest", value: largest / smallest, unit: "×",
        detail: "1 is flat"))
  }
}

/// A coordinator with one large session, and no server around it.
private struct Hall {
  private var coordinator = Coordinator(limits: Self.limits)
  private var requests = Requests()
  private var now = Instant(microseconds: 1_700_000_000_000_000)
  private var entropy = SplitMix64(seed: 1)

  /// Everything happens in quick succession here.
  private static let limits: Limits = {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    return limits
  }()

  init(audience: Int) {
    for place in 0..<audience {
      _ = take(.connected(Self.peer(place)))
      _ = hear(Requests.hello(place), from: place)
      _ = hear(requests.next(.joinGroup(GroupID("group"))), from: place)
    }
    let started = hear(requests.next(.activate(Activation(Requests.activity))), from: 0)
    guard let session = started.compactMap(\Output.session).first else {
      preconditionFailure("the activity did not become a session")
    }
    for place in 0..<audience {
      _ = hear(requests.next(.join(session, handoffFrom: nil)), from: place)
      _ = hear(requests.next(.playback(nil, .transition(to: Requests.film))), from: place)
    }
  }

  /// The time of one pause in nanoseconds; what was playing before it plays again first.
  mutating func pauseTime() -> Double {
    _ = hear(requests.next(.playback(nil, .play(Requests.film, immediately: true))), from: 0)
    let pause = requests.next(.playback(nil, .pause(Requests.film)))
    let start = ContinuousClock.now
    let outputs = hear(pause, from: 0)
    let time = ContinuousClock.now - start
    precondition(outputs.contains { $0.isBroadcast }, "a pause was told to nobody")
    return time.nanoseconds
  }

  private mutating func hear(_ message: ClientMessage, from place: Int) -> [Output] {
    take(.received(Self.peer(place), message))
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
  /// The session that this output says was started.
  fileprivate var session: SessionID? {
    if case .send(.answer(_, .activated(let session, _, _)), _) = self { session } else { nil }
  }

  fileprivate var isBroadcast: Bool {
    if case .send(.event, to: .many) = self { true } else { false }
  }
}
