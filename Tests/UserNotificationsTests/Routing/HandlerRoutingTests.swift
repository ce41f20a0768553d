import Testing
import UserNotifications

/// The matrix, cell by cell, and what holds for all of it.
@Suite struct HandlerRoutingTests {
  /// A sort of payload, as the matrix has them.
  enum Sort: String, CaseIterable {
    case alert
    case alertAndContent
    case silent
    case neither
    case local

    var traits: HandlerRouting.Traits {
      switch self {
      case .alert: .init(isForUser: true, isContentAvailable: false)
      case .alertAndContent: .init(isForUser: true, isContentAvailable: true)
      case .silent: .init(isForUser: false, isContentAvailable: true)
      case .neither: .init(isForUser: false, isContentAvailable: false)
      case .local: .local
      }
    }
  }

  /// In front, in front without W, in background, not running and woken, not running.
  static let arrivals: [(Sort, RegistrationMode, [String])] = [
    (.alert, .center, ["asked W", "R", "shown", "shown", "shown"]),
    (.alert, .legacySettings, ["R", "R", "shown", "shown", "shown"]),
    (.alertAndContent, .center, ["asked WR", "R", "shown R", "shown R", "shown"]),
    (.alertAndContent, .legacySettings, ["R", "R", "shown R", "shown", "shown"]),
    (.silent, .center, ["R", "R", "R", "R", ""]),
    (.silent, .legacySettings, ["R", "R", "R", "R", ""]),
    (.neither, .center, ["R", "R", "", "", ""]),
    (.neither, .legacySettings, ["R", "R", "", "", ""]),
    (.local, .center, ["asked W", "", "shown", "shown", "shown"]),
    (.local, .legacySettings, ["", "", "shown", "shown", "shown"]),
  ]

  // Proves: K4, K6, K21, K26
  @Test(arguments: arrivals)
  func `what arrives goes where the matrix says`(
    sort: Sort, mode: RegistrationMode, cells: [String]
  ) {
    func cell(_ phase: AppPhase, hasWillPresent: Bool = true, isWoken: Bool = true) -> String {
      HandlerRouting(mode, phase)
        .arrival(sort.traits, hasWillPresent: hasWillPresent, isWoken: isWoken).text
    }
    #expect(
      [
        cell(.foreground), cell(.foreground, hasWillPresent: false), cell(.background),
        cell(.notRunning), cell(.notRunning, isWoken: false),
      ] == cells)
  }

  @Test func `the matrix has a row for each sort and mode`() {
    let rows = Set(Self.arrivals.map { "\($0.0) \($0.1)" })
    #expect(rows.count == Sort.allCases.count * RegistrationMode.allCases.count)
  }

  /// A tap, an action in the app, one in the background, an unknown one, a dismissal asked for,
  /// another dismissal: while it runs, and while it does not.
  static let responses: [(RegistrationMode, isRemote: Bool, [String], [String])] = [
    (.center, true, ["U", "U", "U", "U", "U", ""], ["LU", "LU", "U", "U", "U", ""]),
    (.center, false, ["U", "U", "U", "U", "U", ""], ["LU", "LU", "U", "U", "U", ""]),
    (.legacySettings, true, ["R", "A", "A", "A", "", ""], ["LR", "LA", "A", "A", "", ""]),
    (.legacySettings, false, ["", "", "", "", "", ""], ["L", "L", "", "", "", ""]),
  ]

  static let gestures: [HandlerRouting.Gesture] = [
    .tap, .action(isForeground: true), .action(isForeground: false), .unknownAction,
    .dismissal(isAskedFor: true), .dismissal(isAskedFor: false),
  ]

  // Proves: K2, K3, K4, K5, K6, K13, K14, K26, K27
  @Test(arguments: responses)
  func `what people do goes where the matrix says`(
    mode: RegistrationMode, isRemote: Bool, running: [String], notRunning: [String]
  ) {
    func cells(_ phase: AppPhase) -> [String] {
      Self.gestures.map {
        HandlerRouting(mode, phase).handlers(of: $0, isRemote: isRemote).letters
      }
    }
    #expect(cells(.foreground) == running)
    #expect(cells(.background) == running)
    #expect(cells(.notRunning) == notRunning)
  }

  // Proves: K5
  @Test func `nobody hears twice, and an app is launched only to be opened`() {
    for mode in RegistrationMode.allCases {
      for phase in AppPhase.allCases {
        for gesture in Self.gestures {
          for isRemote in [true, false] {
            let handlers = HandlerRouting(mode, phase).handlers(of: gesture, isRemote: isRemote)
            let others = handlers.filter { $0 != .launch }
            #expect(others.count <= 1)
            #expect(handlers.contains(.launch) == (gesture.opensApp && phase == .notRunning))
            #expect(handlers.firstIndex(of: .launch) ?? 0 == 0)
            #expect(mode == .center || !others.contains(.userAction))
            #expect(mode == .legacySettings || !others.contains(.legacyAction))
          }
        }
      }
    }
  }

  // Proves: K21
  @Test func `nothing is shown over an app that did not agree`() {
    for mode in RegistrationMode.allCases {
      for sort in Sort.allCases {
        for hasWillPresent in [true, false] {
          let arrival = HandlerRouting(mode, .foreground)
            .arrival(sort.traits, hasWillPresent: hasWillPresent)
          #expect(arrival.showing != .always)
          #expect((arrival.showing == .asked) == arrival.handlers.contains(.willPresent))
        }
      }
    }
  }

  @Test func `a payload's traits are its own`() {
    var payload = NotificationPayload(.init(body: "Hello"))
    #expect(HandlerRouting.Traits(payload) == Sort.alert.traits)
    payload.isContentAvailable = true
    #expect(HandlerRouting.Traits(payload) == Sort.alertAndContent.traits)
    #expect(HandlerRouting.Traits(.silent([:])) == Sort.silent.traits)
    #expect(HandlerRouting.Traits(NotificationPayload()) == Sort.neither.traits)
    payload = NotificationPayload()
    payload.badge = 0
    #expect(HandlerRouting.Traits(payload) == Sort.alert.traits)
  }
}
