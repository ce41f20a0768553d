import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct LifeCycleTests {
  // Proves: B1, B6, B31, B32, B38, R-25, R-27
  @Test func `a message is shown and dismissed in exactly this order`() {
    var rehearsal = Rehearsal()
    let modal = message("m", kind: .modalImage)
    rehearsal.feed(.deliver(modal))
    #expect(
      rehearsal.take() == [
        "choice m trigger", "load", "prepare m", "willPresent m", "report m started", "show m",
        "impression m", "report m impression", "didPresent m",
      ])
    #expect(rehearsal.presenter.visibleMessage == modal)
    rehearsal.view(.closed(.button))
    #expect(
      rehearsal.take() == [
        "willDismiss m closeButton", "dismiss moving", "release", "didDismiss m closeButton",
        "report m dismissed(InAppMessaging.InAppMessage.DismissReason.closeButton)",
        "finished m presented(dismissedBy: InAppMessaging.InAppMessage.DismissReason.closeButton)",
      ])
    #expect(rehearsal.presenter.nextDeadline == nil)
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  // Proves: B22, B25, R-26
  @Test(arguments: [true, false])
  func `a click is logged, asked about, done or not, and closes the message`(processes: Bool) {
    var rehearsal = Rehearsal()
    rehearsal.processes = processes
    rehearsal.feed(
      .deliver(
        message("m") { $0.buttons = [.init(id: "1", text: "Go", clickAction: .deepLink("/x"))] }))
    _ = rehearsal.take()
    rehearsal.view(.clicked(button: "1"))
    let done = processes ? ["perform deepLink(\"/x\")"] : []
    #expect(
      rehearsal.take("report m clicked", "process", "perform", "willDismiss", "didDismiss")
        == ["report m clicked(button: Optional(\"1\"))", "process 1 known"] + done + [
          "willDismiss m action(button: Optional(\"1\"))",
          "didDismiss m action(button: Optional(\"1\"))",
        ])
  }

  // Proves: R-37, B38
  @Test func `a control goes the whole way and nobody sees it, whatever is on screen`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m")))
    _ = rehearsal.take()
    rehearsal.feed(.deliver(message("c", kind: .control)))
    #expect(
      rehearsal.take() == [
        "choice c trigger", "willPresent c", "report c started", "impression c",
        "report c impression", "didPresent c", "willDismiss c automatic", "didDismiss c automatic",
        "report c dismissed(InAppMessaging.InAppMessage.DismissReason.automatic)",
        "finished c control",
      ])
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves
  @Test func `a control counts nobody who could not have seen it`() {
    var rehearsal = Rehearsal(platform: PlatformState(hasDisplay: false))
    rehearsal.feed(.deliver(message("c", kind: .control)))
    #expect(rehearsal.take() == [])
    rehearsal.change { $0.hasDisplay = true }
    #expect(rehearsal.count("report c impression") == 1)
    #expect(rehearsal.count("finished c control") == 1)
  }

  @Test func `an app's own message is shown and nothing is reported`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.present(local("m")))
    rehearsal.view(.closed(.escape))
    #expect(rehearsal.count("choice m local") == 1)
    #expect(rehearsal.count("impression m") == 1)
    #expect(rehearsal.count("report") == 0)
    #expect(rehearsal.count("finished m") == 1)
  }

  // Proves: R-27
  @Test func `dismissed while it comes, a message goes when it is there`() {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m")))
    rehearsal.feed(.dismiss())
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("willDismiss") == 0)
    rehearsal.view(.presented)
    #expect(
      rehearsal.take("did", "will") == [
        "willPresent m", "didPresent m", "willDismiss m programmatic", "didDismiss m programmatic",
      ])
  }

  // Proves: R-27
  @Test func `a message presented while another's end is told is shown`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m")))
    rehearsal.viewGoes = false
    rehearsal.view(.closed(.button))
    rehearsal.view(.dismissed)
    #expect(rehearsal.lines.last?.hasPrefix("finished m") == true)
    rehearsal.feed(.present(local("n")))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
  }

  @Test func `a delivery that comes again, during or after, is the same one`() {
    var rehearsal = Rehearsal()
    for _ in 1...2 { rehearsal.feed(.deliver(message("m"))) }
    rehearsal.view(.closed(.button))
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.count("choice m") == 1)
    #expect(rehearsal.count("finished m") == 1)
  }

  // Proves: R-41
  @Test func `answers to what is over are ignored`() throws {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m")))
    let token = try #require(rehearsal.presenter.currentToken)
    rehearsal.view(.closed(.button))
    rehearsal.feed(.deliver(message("n")))
    _ = rehearsal.take()
    let late: [MessagePresenter.Input] = [
      .view(.presented, token), .view(.dismissed, token), .view(.detached(), token),
      .view(.closed(.button), token), .view(.clicked(button: nil), token),
      .reported(.dismissed(.swipe), token), .chose(.discard, token), .assets(.failed, token),
      .prepared(.init(message: message("m")), token),
      .decided(process: true, click: 1, token),
    ]
    for input in late { rehearsal.feed(input) }
    #expect(rehearsal.take() == [])
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
  }

  @Test func `the stages lead from waiting to finished, and nowhere back from there`() {
    var reached: Set = [MessageStage.waiting]
    while true {
      let more = reached.union(reached.flatMap { MessageStage.next[$0] ?? [] })
      if more == reached { break }
      reached = more
    }
    #expect(reached == Set(MessageStage.allCases))
    #expect(MessageStage.next[.finished] == [])
    #expect(Set(MessageStage.next.keys) == Set(MessageStage.allCases))
    // Who was said to come is said to have gone, before all else.
    for stage in [MessageStage.presenting, .presented] {
      #expect(MessageStage.next[stage]?.isSubset(of: [.presented, .dismissing]) == true)
    }
  }
}
