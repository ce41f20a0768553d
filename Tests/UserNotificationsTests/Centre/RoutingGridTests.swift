import Naming
import Testing
import UserNotifications
import Vocabulary

/// Two ways to register, three things to tap, two ways to come about, three phases: 36 rows, each
/// walked from the arrival to the last completion.
@Suite struct RoutingGridTests {
  enum Tap: CaseIterable {
    case action
    case bodyWithCategory
    case bodyWithoutCategory

    var category: String? { self == .bodyWithoutCategory ? nil : "CHORES" }
  }

  /// Handlers of taps while the app is in front, in the background, not running.
  static let grid: [(RegistrationMode, Tap, isRemote: Bool, [String])] = [
    (.center, .action, true, ["U", "U", "L U"]),
    (.center, .bodyWithCategory, true, ["U", "U", "L U"]),
    (.center, .bodyWithoutCategory, true, ["U", "U", "L U"]),
    (.center, .action, false, ["U", "U", "L U"]),
    (.center, .bodyWithCategory, false, ["U", "U", "L U"]),
    (.center, .bodyWithoutCategory, false, ["U", "U", "L U"]),
    (.legacySettings, .action, true, ["A", "A", "L A"]),
    (.legacySettings, .bodyWithCategory, true, ["R", "R", "L R"]),
    (.legacySettings, .bodyWithoutCategory, true, ["R", "R", "L R"]),
    (.legacySettings, .action, false, ["", "", "L"]),
    (.legacySettings, .bodyWithCategory, false, ["", "", "L"]),
    (.legacySettings, .bodyWithoutCategory, false, ["", "", "L"]),
  ]

  /// A phone on which the notification stands, and which is in that phase now.
  private func phone(
    _ mode: RegistrationMode, _ phase: AppPhase, _ tap: Tap, isRemote: Bool
  ) -> Phone {
    // The older calls show nothing in front; it came before, and the app was opened since.
    var phone = Phone(mode, .background)
    if isRemote {
      phone.receive("n1", Phone.alert(category: tap.category))
    } else {
      var content = NotificationContent(body: "Dinner is ready")
      content.categoryID = tap.category
      phone.feed(.schedule(NotificationRequest(id: "n1", content: content)))
    }
    phone.feed(.phase(phase))
    return phone
  }

  // Proves: K1, K2, K3, K4, K5, K6, K8, K12, K26, K27, §7.15
  @Test(arguments: grid)
  func `exactly the handlers of the grid hear of a tap`(
    mode: RegistrationMode, tap: Tap, isRemote: Bool, cells: [String]
  ) {
    for (phase, cell) in zip(AppPhase.allCases, cells) {
      var phone = phone(mode, phase, tap, isRemote: isRemote)
      #expect(phone.standing == ["n1"])
      _ = phone.take()
      phone.feed(tap == .action ? .acted("n1", action: "OPEN") : .tapped("n1"))
      let action = tap == .action ? "OPEN" : ActionIdentifier.defaultAction
      let handlers = phone.lines.compactMap { line in
        line.dropFirst().first == " " ? String(line.prefix(1)) : nil
      }
      #expect(handlers.joined(separator: " ") == cell)
      #expect(phone.responses.allSatisfy { $0.actionID == action })
      #expect(phone.responses.allSatisfy { $0.isRemote == isRemote })
      #expect(phone.lines.contains("open n1") == (phase != .foreground))
      // What is local is nothing to the server.
      #expect(
        phone.lines.filter { $0.hasPrefix("report") }
          == (isRemote ? ["report n1 \(action)", "report n1 completed"] : []))
      #expect(phone.center.extraCompletions == 0)
      // Nothing is left to wait for, and nothing to tap again.
      #expect(phone.center.nextDeadline == nil)
      #expect(phone.standing == [])
      _ = phone.take()
      phone.feed(.tapped("n1"))
      #expect(phone.take() == ["warn n1 notStanding"])
    }
  }

  @Test func `the grid has 36 rows`() {
    let rows = Set(Self.grid.map { "\($0.0) \($0.1) \($0.2)" })
    #expect(rows.count * AppPhase.allCases.count == 36)
  }

  // Proves: §7.15
  @Test(arguments: RegistrationMode.allCases, AppPhase.allCases)
  func `a silent notification is for the reception handler alone`(
    mode: RegistrationMode, phase: AppPhase
  ) {
    for result in FetchResult.allCases {
      var phone = Phone(mode, phase)
      phone.result = result
      _ = phone.take()
      phone.receive("n1", .silent(["a": 1]))
      #expect(phone.take() == ["R n1", "report n1 \(result.deliveryResult)"])
      #expect(phone.standing == [])
    }
  }

  // Proves: K4, K21, §7.15
  @Test func `a tap by the older calls tells the reception handler that it knows already`() {
    var phone = Phone(.legacySettings, .background)
    _ = phone.take()
    phone.receive("n1", Phone.alert(contentAvailable: true))
    #expect(phone.take() == ["show n1", "R n1", "report n1 newData"])
    phone.feed(.tapped("n1"))
    #expect(phone.take("R") == ["R n1 again"])
    // Without something to fetch the tap is the first it hears.
    phone.receive("n2", Phone.alert())
    #expect(phone.take() == ["show n2", "report n2 presented"])
    phone.feed(.tapped("n2"))
    #expect(phone.take("R") == ["R n2"])
  }
}
