import Coordination
import GroupSessions
import Playback
import Vocabulary
import Wire

/// The coordinator's own time for a pause, from the decoded command to its outputs.
struct CoordinatorCost {
  let effort: Effort

  private static let audiences = [10, 1000, 5000]

  func measure(into section: inout Section) {
    var largest = 0.0
    var smallest = 0.0
    for audience in Self.audiences {
      var hall = Hall(members: audience)
      for place in 0..<audience { hall.watch(place) }
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

/// A coordinator with one large group and its session, without a server.
struct Hall {
  private var coordinator = LoadedCoordinator(at: Instant(microseconds: 1_700_000_000_000_000))
  private var requests = Requests()
  private var session = SessionID("none")

  /// Makes a group of this many members and a session that nobody has joined.
  init(members: Int) {
    for place in 0..<members {
      _ = coordinator.take(.connected(LoadedCoordinator.peer(place)))
      _ = hear(Requests.hello(place), from: place)
      _ = hear(requests.next(.joinGroup(GroupID("group"))), from: place)
    }
    let started = hear(requests.next(.activate(Activation(Requests.activity))), from: 0)
    guard let session = started.compactMap(\Output.session).first else {
      preconditionFailure("the activity did not become a session")
    }
    self.session = session
  }

  /// Makes a member join and open the film.
  mutating func watch(_ place: Int) {
    _ = hear(requests.next(.join(session, handoffFrom: nil)), from: place)
    _ = hear(requests.next(.playback(nil, .transition(to: Requests.film))), from: place)
  }

  /// Makes a member join.
  ///
  /// - Returns: The time until the outputs exist, in nanoseconds.
  mutating func joinTime(of place: Int) -> Double {
    let join = requests.next(.join(session, handoffFrom: nil))
    let start = ContinuousClock.now
    let outputs = hear(join, from: place)
    let time = ContinuousClock.now - start
    precondition(!outputs.isEmpty, "a join was not answered")
    return time.nanoseconds
  }

  /// The time of one pause in nanoseconds; the film is started before it.
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
    coordinator.take(.received(LoadedCoordinator.peer(place), message))
  }
}

extension Output {
  /// The session that this output reports as started.
  fileprivate var session: SessionID? {
    if case .send(.answer(_, .activated(let session, _, _)), _) = self { session } else { nil }
  }

  fileprivate var isBroadcast: Bool {
    if case .send(.event, to: .many) = self { true } else { false }
  }
}
