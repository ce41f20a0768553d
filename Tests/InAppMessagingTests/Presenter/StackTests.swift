import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct StackTests {
  // Proves: B33, B37, R-30, §7.7
  @Test func `put back, presented one by one, and then there is none`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    for id in ["m1", "m2"] { rehearsal.feed(.deliver(message(id))) }
    rehearsal.feed(.presentNext(PresentNextTag(1)))
    #expect(rehearsal.count("answer 1 reenqueued") == 1)
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m2", "m1"])
    rehearsal.choice = { _ in .now }
    for (tag, id) in [(2, "m2"), (3, "m1")] {
      rehearsal.feed(.presentNext(PresentNextTag(tag)))
      #expect(rehearsal.presenter.visibleMessage?.id.text == id)
      #expect(rehearsal.count("choice \(id) stack") >= 1)
      rehearsal.view(.closed(.button))
    }
    rehearsal.feed(.presentNext(PresentNextTag(4)))
    let answers = rehearsal.outputs.compactMap { output in
      if case .answer(_, let result) = output { result } else { nil }
    }
    #expect(answers == [.reenqueued, .presented("m2"), .presented("m1"), .empty])
    #expect(rehearsal.count("report m1 waiting") == 1)
  }

  // Proves: B35, R-30, §7.7
  @Test func `the next one may be discarded, not fit, or find no place`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    rehearsal.feed(.deliver(message("a")))
    rehearsal.feed(.deliver(message("b") { $0.orientation = .landscape }))
    rehearsal.feed(.deliver(message("c")))
    rehearsal.choice = { $0.id == "c" ? .discard : .now }
    for tag in 1...3 { rehearsal.feed(.presentNext(PresentNextTag(tag))) }
    #expect(rehearsal.presenter.visibleMessage?.id == "a")
    rehearsal.feed(.deliver(message("d")))
    rehearsal.feed(.presentNext(PresentNextTag(4)))
    let answers = rehearsal.outputs.compactMap { output in
      if case .answer(_, let result) = output { result } else { nil }
    }
    #expect(answers == [.refused(.choice), .refused(.orientation), .presented("a"), .reenqueued])
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["d"])
    #expect(rehearsal.count("impression c") == 0)
  }

  // Proves: R-30
  @Test func `who asks for the next hears what came of it once, also when it fails on the way`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    for id in ["a", "b", "c", "d"] { rehearsal.feed(.deliver(message(id))) }
    rehearsal.choice = { _ in .now }
    rehearsal.viewShows = false
    rehearsal.feed(.presentNext(PresentNextTag(1)))
    rehearsal.view(.failed(.image))
    rehearsal.feed(.presentNext(PresentNextTag(2)))
    rehearsal.view(.declined)
    rehearsal.choice = { $0.id == "c" ? nil : .now }
    rehearsal.feed(.presentNext(PresentNextTag(3)))
    rehearsal.feed(.userChanged("u2"))
    #expect(
      rehearsal.take("answer") == [
        "answer 1 refused(\(refusal(.assets)))", "answer 2 reenqueued",
        "answer 3 refused(\(refusal(.userMismatch)))",
      ])
  }

  // Proves: R-30
  @Test func `the oldest of more than fifty is refused`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    for number in 1...51 { rehearsal.feed(.deliver(message("m\(number)"))) }
    #expect(rehearsal.presenter.stackedMessages.count == 50)
    #expect(rehearsal.take("finished") == ["finished m1 refused(\(refusal(.overflow)))"])
  }

  // Proves
  @Test func `on the stack a message does not grow old`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    rehearsal.feed(.deliver(message("m"), timeToLive: .seconds(1)))
    rehearsal.pass(.seconds(3_600))
    rehearsal.choice = { _ in .now }
    rehearsal.feed(.presentNext(PresentNextTag(1)))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves: R-30
  @Test(arguments: DrainPolicy.allCases)
  func `the stack gives up its next when its policy says`(policy: DrainPolicy) {
    var settings = PresenterSettings()
    settings.drainPolicy = policy
    var rehearsal = Rehearsal(settings)
    for id in ["m", "a", "b"] { rehearsal.feed(.deliver(message(id))) }
    rehearsal.view(.closed(.button))
    #expect(rehearsal.presenter.visibleMessage?.id == (policy == .onSlotFree ? "b" : nil))
    rehearsal.change { $0.isVisible = false }
    rehearsal.change { $0.isVisible = true }
    #expect(rehearsal.presenter.visibleMessage?.id == (policy == .manual ? nil : "b"))
    rehearsal.view(.closed(.button))
    #expect(rehearsal.presenter.visibleMessage?.id == (policy == .onSlotFree ? "a" : nil))
  }

  @Test func `what the app puts back does not come again at once`() {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.choice = { $0.id == "m" ? .now : .reenqueue }
    for id in ["m", "a"] { rehearsal.feed(.deliver(message(id))) }
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("choice a") == 1)
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["a"])
  }

  // Proves: R-39
  @Test func `what is revoked waits no more, and on screen goes only if forced`() {
    var rehearsal = Rehearsal()
    for id in ["m", "a", "b"] { rehearsal.feed(.deliver(message(id))) }
    rehearsal.feed(.revoke(["m", "a"]))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["b"])
    #expect(rehearsal.lines.contains("finished a refused(\(refusal(.stopped)))"))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    rehearsal.feed(.revoke(["m"], force: true))
    #expect(rehearsal.count("didDismiss m programmatic") == 1)
  }

  // Proves: R-39
  @Test func `what is revoked while images load or the app thinks is not shown`() {
    var rehearsal = Rehearsal()
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m", kind: .modalImage)))
    rehearsal.feed(.revoke(["m"]))
    #expect(!rehearsal.presenter.isScreenTaken)
    rehearsal.choice = { _ in nil }
    rehearsal.feed(.deliver(message("n")))
    rehearsal.feed(.revoke(["n"]))
    rehearsal.pass(.seconds(5))
    #expect(rehearsal.count("finished") == 2)
    #expect(rehearsal.count("willPresent") == 0)
  }

  // Proves: R-30
  @Test func `without a display the next one stays on the stack`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    rehearsal.feed(.deliver(message("m")))
    rehearsal.choice = { _ in .now }
    rehearsal.change { $0.hasDisplay = false }
    rehearsal.feed(.presentNext(PresentNextTag(1)))
    #expect(rehearsal.count("answer 1 reenqueued") == 1)
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m"])
  }
}
