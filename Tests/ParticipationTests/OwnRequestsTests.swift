import InAppMessaging
import Participation
import Testing
import Vocabulary
import Wire

/// What a client has to say of its own, beside as much of the app's as may wait.
@Suite struct OwnRequestsTests {
  /// A client whose app waits for so many answers.
  private func desk(asking count: Int) -> Desk {
    var desk = Desk()
    for tag in 0..<count { desk.feed(.ask(.status(), tag)) }
    return desk
  }

  private func logged(_ desk: Desk) -> [String] {
    desk.asked.compactMap {
      if case .messaging(.logEvent(let name, _, _)) = $0.request { name } else { nil }
    }
  }

  // At 191 there was room for one of two.
  @Test(arguments: [191, 192])
  func `what the app asks for holds up nothing of it`(count: Int) {
    var desk = desk(asking: count)
    for name in ["a", "b"] { desk.feed(.log(.event(name: name, properties: [:]))) }
    #expect(logged(desk) == ["a"])
    desk.answer { if case .messaging(.logEvent) = $0 { true } else { false } }
    #expect(logged(desk) == ["b"])
    desk.feed(.ask(.status(), 999))
    let failure = Client.Failure.tooManyRequests(limit: 192)
    #expect(desk.take().contains(.outcome(999, .failed(failure))))
  }

  @Test func `what finds no room is said once there is some`() {
    var desk = desk(asking: 192)
    for number in 0..<200 {
      let platform = PlatformState(isVisible: number.isMultiple(of: 2))
      desk.feed(.presenter(.platform(platform)))
    }
    #expect(desk.asked.count == 256)
    var changes: [AppState.Change] = []
    while let request = desk.asked.first?.request {
      if case .messaging(.appState(let state)) = request, let change = state.change {
        changes.append(change)
      }
      desk.answer()
    }
    #expect(changes == [.launch] + Array(repeating: .foreground, count: 99))
  }
}
