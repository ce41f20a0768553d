import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct WatchdogTests {
  // Proves: R-41, F29, §7.3
  @Test func `a display that never answers has the screen for fifteen seconds`() throws {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m")))
    let token = try #require(rehearsal.presenter.currentToken)
    rehearsal.pass(.milliseconds(14_999))
    #expect(rehearsal.presenter.isScreenTaken)
    rehearsal.pass(.milliseconds(1))
    #expect(
      rehearsal.take("will", "did", "report m refused", "finished") == [
        "willPresent m", "willDismiss m failed", "didDismiss m failed",
        "report m refused(\(refusal(.watchdog)))", "finished m refused(\(refusal(.watchdog)))",
      ])
    rehearsal.viewShows = true
    rehearsal.pass(.seconds(25))
    rehearsal.feed(.deliver(message("n")))
    rehearsal.feed(.view(.presented, token))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
  }

  // Proves: R-41
  @Test func `an app that never comes back from preparing neither`() {
    var rehearsal = Rehearsal()
    rehearsal.prepare = nil
    rehearsal.feed(.deliver(message("m")))
    rehearsal.pass(.seconds(15))
    #expect(rehearsal.take("will", "finished") == ["finished m refused(\(refusal(.watchdog)))"])
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  // Proves: R-41
  @Test func `a view that never goes is gone after five seconds`() {
    var rehearsal = Rehearsal()
    rehearsal.viewGoes = false
    rehearsal.feed(.deliver(message("m")))
    rehearsal.view(.closed(.button))
    rehearsal.pass(.milliseconds(4_999))
    #expect(rehearsal.presenter.isScreenTaken)
    rehearsal.pass(.milliseconds(1))
    #expect(
      rehearsal.take("warn", "didDismiss", "dismiss at once") == [
        "warn m viewSilent", "dismiss at once", "didDismiss m closeButton",
      ])
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  // Proves: F29, §7.3
  @Test func `a display that declines has the message put back without a wait`() {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m")))
    rehearsal.view(.declined)
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m"])
    #expect(!rehearsal.presenter.isScreenTaken)
    #expect(rehearsal.count("show m") == 1)
    #expect(rehearsal.count("finished") == 0)
    rehearsal.viewShows = true
    rehearsal.feed(.presentNext(PresentNextTag(1)))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves: R-41
  @Test(arguments: MessageViewFailure.allCases)
  func `a view that fails frees the screen, coming or there`(failure: MessageViewFailure) {
    for isThere in [false, true] {
      var rehearsal = Rehearsal()
      rehearsal.viewShows = isThere
      rehearsal.feed(.deliver(message("m")))
      rehearsal.view(.failed(failure))
      #expect(!rehearsal.presenter.isScreenTaken)
      #expect(rehearsal.count("didDismiss m failed") == 1)
      #expect(rehearsal.count("finished m refused") == (isThere ? 0 : 1))
    }
  }

  @Test func `without a display there is nothing on screen`() {
    for isThere in [false, true] {
      var rehearsal = Rehearsal()
      rehearsal.viewShows = isThere
      rehearsal.feed(.deliver(message("m")))
      rehearsal.change { $0.hasDisplay = false }
      #expect(!rehearsal.presenter.isScreenTaken)
      #expect(rehearsal.count("finished m") == 1)
    }
  }
}
