import Coordination
import Signatures
import Vocabulary
import Wire

/// What proving who somebody is costs the coordinator: a hello, and a joining, in each mode.
struct AccessCost {
  let effort: Effort

  func measure(into section: inout Section) {
    let open = measure(.open, "open", into: &section)
    for mode in Mode.allCases where mode != .open {
      let time = measure(mode, mode.rawValue, into: &section)
      section.figures.append(
        Figure(
          name: "hello and joining, \(mode.rawValue) to open", value: time / open, unit: "×",
          detail: "1 is the same"))
    }
  }

  /// - Returns: the time of a hello and a joining, in microseconds.
  private func measure(_ mode: Mode, _ name: String, into section: inout Section) -> Double {
    var door = Door(mode)
    let peers = 1...max(effort.codings / 10, 100)
    let times = peers.map { door.enterTime(of: $0) }
    let (hello, joining) = (times.map(\.hello).median / 1000, times.map(\.joining).median / 1000)
    section.figures.append(Figure(name: "a hello, \(name)", value: hello, unit: "µs", detail: ""))
    section.figures.append(
      Figure(name: "a joining, \(name)", value: joining, unit: "µs", detail: mode.detail))
    return hello + joining
  }

  private enum Mode: String, CaseIterable {
    case open, keys, tokens

    var detail: String {
      switch self {
      case .open: ""
      case .keys: "with the group's key, which claims the name"
      case .tokens: "the token is HS256"
      }
    }
  }

  /// A coordinator whose newcomers each open a connection and join the one group.
  private struct Door {
    private let mode: Mode
    private var coordinator: LoadedCoordinator
    private var requests = Requests()
    private var numbers = SplitMix64(seed: 9)

    private static let group = GroupID("group")
    private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)
    private static let wall = WallTime(seconds: 1_800_000_000)
    private static let keys: AccessKeys = {
      var numbers = SplitMix64(seed: 9)
      return AccessKeys(InvitationKey(using: &numbers))
    }()

    init(_ mode: Mode) {
      self.mode = mode
      coordinator = LoadedCoordinator(
        at: Instant(microseconds: 1_700_000_000_000_000), access: Self.access(mode))
      _ = coordinator.take(.wallTime(Self.wall))
      // The founder stays, so that the group is there.
      _ = enterTime(of: 0, with: Self.keys.founding.text, stays: true)
    }

    private static func access(_ mode: Mode) -> Access {
      switch mode {
      case .open: return .open
      case .keys: return .keys(keys)
      case .tokens:
        do {
          return .tokens(try TokenVerifier(keys: try TokenKeys(contents: secret)))
        } catch {
          preconditionFailure("a secret of 32 bytes is a key: \(error)")
        }
      }
    }

    mutating func enterTime(of place: Int) -> (hello: Double, joining: Double) {
      enterTime(of: place, with: Self.keys.key(of: Self.group, generation: 1).text)
    }

    /// The time until the outputs exist, in nanoseconds.
    private mutating func enterTime(
      of place: Int, with key: String, stays: Bool = false
    ) -> (hello: Double, joining: Double) {
      let peer = LoadedCoordinator.peer(place)
      let hello = hello(place)
      let join = requests.next(.joinGroup(Self.group, key: mode == .keys ? key : nil))
      _ = coordinator.take(.connected(peer))
      let start = ContinuousClock.now
      _ = coordinator.take(.received(peer, hello))
      let middle = ContinuousClock.now
      let outputs = coordinator.take(.received(peer, join))
      let end = ContinuousClock.now
      precondition(outputs.contains(where: \.isAnswer), "a newcomer was not let in")
      // The others leave, so that the group's size does not count.
      if !stays { _ = coordinator.take(.received(peer, requests.next(.leaveGroup))) }
      return ((middle - start).nanoseconds, (end - middle).nanoseconds)
    }

    private mutating func hello(_ place: Int) -> ClientMessage {
      guard case .hello(var hello) = Requests.hello(place) else { return Requests.hello(place) }
      switch mode {
      case .open: break
      case .keys: hello.credential = Secret(using: &numbers).text
      case .tokens: hello.credential = token(of: hello.user)
      }
      return .hello(hello)
    }

    private func token(of user: UserID) -> String {
      var contents = TokenContents(user: user, issued: Self.wall, expires: Self.wall + 3_600)
      contents.groups = GroupGrants([Self.group.text])
      do {
        return try TokenSigner(contents: Self.secret).token(for: contents)
      } catch {
        preconditionFailure("a secret of 32 bytes signs: \(error)")
      }
    }
  }
}

extension Output {
  fileprivate var isAnswer: Bool {
    if case .send(.answer, _) = self { true } else { false }
  }
}
