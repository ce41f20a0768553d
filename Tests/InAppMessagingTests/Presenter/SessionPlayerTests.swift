import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct SessionPlayerTests {
  private func media(_ video: String, title: String? = nil) -> SessionMedia {
    SessionMedia(url: "https://example.com/\(video).mp4", title: title)
  }

  // Proves: R-33, S26, W1, §7.12
  @Test func `a player that finds the screen taken waits, and the newest comes before all else`() {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(.deliver(message("promo")))
    rehearsal.feed(.deliver(message("other")))
    rehearsal.feed(.deliver(player("p1", video: "one")))
    rehearsal.feed(.deliver(player("p2", video: "two")))
    #expect(rehearsal.take("finished") == ["finished p1 refused(\(refusal(.replaced)))"])
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("choice p2 deferred") == 1)
    #expect(rehearsal.presenter.visibleMessage?.extras["video_url"]?.string == media("two").url)
    #expect(rehearsal.count("impression") == 1)
    rehearsal.view(.closed(.button))
    #expect(rehearsal.presenter.visibleMessage?.id == "other")
  }

  // Proves: R-33
  @Test func `a player that waits comes before what a click brought`() {
    var rehearsal = Rehearsal()
    rehearsal.viewGoes = false
    rehearsal.feed(
      .deliver(message("m") { $0.clickAction = .logEvent(name: "X", properties: [:]) }))
    rehearsal.view(.clicked(button: nil))
    rehearsal.feed(.deliver(message("f")))
    rehearsal.feed(.deliver(player("p")))
    for id in ["p", "f"] {
      rehearsal.view(.dismissed)
      #expect(rehearsal.presenter.visibleMessage?.id.text == id)
      rehearsal.view(.closed(.button))
    }
  }

  // Proves: R-33, W12, §7.12
  @Test func `a player whose session is over meanwhile never opens`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", nil)))
    rehearsal.feed(.deliver(message("promo")))
    rehearsal.feed(.deliver(player("p")))
    rehearsal.feed(.session(.ended("s1")))
    rehearsal.view(.closed(.button))
    #expect(rehearsal.lines.contains("finished p refused(\(refusal(.sessionEnded)))"))
    rehearsal.feed(.deliver(player("late")))
    #expect(rehearsal.lines.contains("finished late refused(\(refusal(.sessionEnded)))"))
    #expect(rehearsal.count("session s1 leave") == 0)
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  // Proves: R-33
  @Test func `a player waits while somebody writes, and while the app wants none yet`() {
    var rehearsal = Rehearsal(platform: PlatformState(isTextInputFocused: true))
    rehearsal.feed(.deliver(player("p")))
    #expect(rehearsal.take() == ["report p waiting"])
    rehearsal.change { $0.isTextInputFocused = false }
    #expect(rehearsal.presenter.visibleMessage?.id == "p")
    rehearsal.view(.closed(.button))
    rehearsal.feed(.session(.joined("s1", nil)))
    rehearsal.feed(.suppress(.queue))
    rehearsal.feed(.deliver(player("q")))
    rehearsal.feed(.suppress(.none))
    #expect(rehearsal.presenter.visibleMessage?.id == "q")
  }

  // Proves: R-32, S27, W6, §7.12
  @Test func `another video in the session changes the player where it is`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", media("one"))))
    rehearsal.feed(.deliver(player("p", video: "one")))
    _ = rehearsal.take()
    rehearsal.feed(.session(.media("s1", media("two", title: "Second"))))
    #expect(rehearsal.take() == ["willUpdate p", "update p"])
    #expect(rehearsal.presenter.visibleMessage.flatMap(VideoView.init)?.title == "Second")
    rehearsal.feed(.session(.media("s1", media("two", title: "Second"))))
    #expect(rehearsal.take() == [])
    rehearsal.feed(.session(.media("s1", media("three"))))
    #expect(rehearsal.presenter.visibleMessage.flatMap(VideoView.init)?.title == "Video Content")
  }

  // Proves: R-32, S27
  @Test func `another delivery for the player on screen is taken in and not shown again`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(player("p", video: "one")))
    _ = rehearsal.take()
    rehearsal.feed(.deliver(player("q", video: "two")))
    #expect(
      rehearsal.take() == [
        "willUpdate p", "update p", "report q refused(\(refusal(.replaced)))",
        "finished q refused(\(refusal(.replaced)))",
      ])
    #expect(rehearsal.presenter.visibleMessage?.extras["video_url"]?.string == media("two").url)
  }

  private func film(_ id: String, _ title: String, campaign: String = "watch") -> InAppMessage {
    var message = player(id, video: title)
    message.campaign?.id = CampaignID(campaign)
    message.body = .text(.init("Now", header: title, alignment: .leading))
    return message
  }

  @Test func `hidden for writing it comes back with the newest words and their video`() {
    var settings = PresenterSettings()
    settings.hidesOnTextInput = true
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(.deliver(film("p", "one")))
    rehearsal.feed(.deliver(film("q", "two")))
    rehearsal.change { $0.isTextInputFocused = true }
    #expect(rehearsal.presenter.visibleMessage == nil)
    rehearsal.change { $0.isTextInputFocused = false }
    #expect(rehearsal.presenter.visibleMessage?.id == "p")
    #expect(rehearsal.presenter.visibleMessage?.body == film("q", "two").body)
    #expect(rehearsal.presenter.visibleMessage?.extras["video_url"]?.string == media("two").url)
  }

  @Test func `what another delivery of its campaign says stands over the video that it brings`() {
    for isAsked in [false, true] {
      var rehearsal = Rehearsal()
      if isAsked { rehearsal.choice = { _ in nil } }
      rehearsal.feed(.deliver(film("p", "Sintel")))
      rehearsal.feed(.deliver(film("q", "Bunny")))
      rehearsal.pass(.seconds(5))
      #expect(rehearsal.presenter.visibleMessage?.body == film("q", "Bunny").body)
      rehearsal.feed(.deliver(film("r", "Heat", campaign: "another")))
      #expect(rehearsal.presenter.visibleMessage?.body == film("q", "Bunny").body)
      #expect(rehearsal.presenter.visibleMessage?.id == "p")
    }
  }

  @Test func `a delivery that comes while the first is on its way is taken in as well`() throws {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in nil }
    rehearsal.feed(.deliver(player("p", video: "one")))
    rehearsal.feed(.deliver(player("q", video: "two")))
    rehearsal.feed(.chose(.now, try #require(rehearsal.tokens["p"])))
    #expect(rehearsal.presenter.visibleMessage?.extras["video_url"]?.string == media("two").url)
    var slow = Rehearsal()
    slow.viewShows = false
    slow.feed(.deliver(player("p", video: "one")))
    slow.feed(.deliver(player("q", video: "two")))
    #expect(slow.count("update") == 0)
    slow.view(.presented)
    #expect(
      slow.take("didPresent", "willUpdate", "update")
        == ["didPresent p", "willUpdate p", "update p"])
  }

  // Proves: W2
  @Test func `the session's video goes before the message's`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", media("two", title: "Ours"))))
    rehearsal.feed(.deliver(player("p", video: "one")))
    #expect(rehearsal.presenter.visibleMessage.flatMap(VideoView.init)?.url == media("two").url)
    #expect(rehearsal.count("warn p otherMedia") == 1)
  }

  @Test func `a campaign's author chooses any address for a video, a session's members do not`() {
    func trailer(_ id: String, of change: (inout InAppMessage) -> Void) -> InAppMessage {
      message(id, kind: .full) {
        $0.extras = [
          "view_type": .string("video"), "video_url": .string("https://example.com/watch.php?id=7"),
        ]
        change(&$0)
      }
    }
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(trailer("own") { $0.session = nil }))
    #expect(rehearsal.presenter.visibleMessage?.id == "own")
    rehearsal.view(.closed(.button))
    rehearsal.feed(.deliver(trailer("theirs") { $0.session = "s1" }))
    rehearsal.feed(.deliver(trailer("app's") { $0.campaign = nil }))
    for id in ["theirs", "app's"] {
      #expect(
        rehearsal.lines.contains("finished \(id) refused(\(refusal(.invalidContent)))"), "\(id)")
    }
  }

  @Test func `a video nobody may go to is not put in a player`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", media("one"))))
    rehearsal.feed(.deliver(player("p")))
    rehearsal.feed(.session(.media("s1", SessionMedia(url: "http://10.0.0.1/a.mp4"))))
    #expect(rehearsal.count("warn p invalidContent") == 1)
    #expect(rehearsal.count("update") == 0)
    #expect(rehearsal.presenter.visibleMessage?.extras["video_url"]?.string == media("one").url)
  }

  // Proves: R-34, S29, S30
  @Test
  func `a person who closes the player leaves once, then the session is cleared, then the item`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", media("one"))))
    rehearsal.feed(.deliver(player("p")))
    rehearsal.view(.closed(.button))
    rehearsal.feed(.dismiss(leavesSession: true))
    #expect(
      rehearsal.take("didDismiss", "session", "finished") == [
        "didDismiss p closeButton", "session s1 leave", "session s1 clearSession",
        "session s1 clearItem",
        "finished p presented(dismissedBy: InAppMessaging.InAppMessage.DismissReason.closeButton)",
      ])
  }

  // Proves: R-34, W5
  @Test func `only who means it leaves`() {
    let ends: [(MessagePresenter.Input, leaves: Bool)] = [
      (.dismiss(), true), (.dismiss(leavesSession: false), false), (.pageClosed, false),
      (.userChanged("u2"), true), (.dataWiped, true), (.revoke(["p"], force: true), false),
    ]
    for (input, leaves) in ends {
      var rehearsal = Rehearsal()
      rehearsal.feed(.deliver(player("p")))
      rehearsal.feed(input)
      #expect(rehearsal.count("session s1 leave") == (leaves ? 1 : 0), "\(input)")
      #expect(!rehearsal.presenter.isScreenTaken)
    }
    let views: [(MessageViewEvent, leaves: Bool)] = [
      (.detached(), true), (.detached(leavesSession: false), false), (.failed(.other), false),
    ]
    for (event, leaves) in views {
      var rehearsal = Rehearsal()
      rehearsal.feed(.deliver(player("p")))
      rehearsal.view(event)
      #expect(rehearsal.count("session s1 leave") == (leaves ? 1 : 0), "\(event)")
    }
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(player("p")))
    rehearsal.change { $0.orientation = .landscape }
    rehearsal.change { $0.isVisible = false }
    rehearsal.feed(.session(.media("s1", media("two"))))
    rehearsal.feed(.session(.joined("s1", media("two"))))
    #expect(rehearsal.count("session") == 0)
  }

  // Proves: R-34, W5
  @Test(arguments: [true, false])
  func `a waiting player leaves its session when its person goes, not when its page closes`(
    isPersonGone: Bool
  ) {
    var rehearsal = Rehearsal()
    for id in ["m", "p"] {
      rehearsal.feed(.deliver(id == "p" ? player(id) : message(id)))
    }
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    #expect(rehearsal.count("finished p") == 0)
    rehearsal.feed(isPersonGone ? .userChanged("u2") : .pageClosed)
    #expect(rehearsal.count("finished p refused") == 1)
    #expect(rehearsal.count("session s1 leave") == (isPersonGone ? 1 : 0))
  }

  // Proves: R-34
  @Test(arguments: [
    (InAppMessage.SessionAction.join, 0), (.startForAll, 0), (.decline, 1), (.leave, 1),
  ])
  func `a button for the session keeps it, unless it leaves; and that once`(
    action: InAppMessage.SessionAction, leaves: Int
  ) {
    var rehearsal = Rehearsal()
    var message = player("p")
    message.buttons = [
      .init(id: "1", text: "x", clickAction: .sequence([.close, .session(action)]))
    ]
    rehearsal.feed(.deliver(message))
    rehearsal.view(.clicked(button: "1"))
    #expect(rehearsal.count("session s1 leave") == leaves)
    #expect(rehearsal.count("perform session") == (action == .leave ? 0 : 1))
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  // Proves: R-35, S37
  @Test func `when the session ends the player stops and goes, and nobody leaves`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", media("one"))))
    rehearsal.feed(.deliver(player("p")))
    _ = rehearsal.take()
    rehearsal.feed(.session(.ended("s1")))
    rehearsal.feed(.session(.ended("s1")))
    #expect(
      rehearsal.take("session", "pause", "will", "did") == [
        "session s1 clearSession", "session s1 clearItem", "pause", "willDismiss p sessionEnded",
        "didDismiss p sessionEnded",
      ])
  }

  // Proves, §7.13
  @Test func `closed and ended at the same time it is left at most once, and not after its end`() {
    for endsFirst in [true, false] {
      var rehearsal = Rehearsal()
      rehearsal.viewGoes = false
      rehearsal.feed(.session(.joined("s1", media("one"))))
      rehearsal.feed(.deliver(player("p")))
      _ = rehearsal.take()
      if endsFirst { rehearsal.feed(.session(.ended("s1"))) }
      rehearsal.view(.closed(.button))
      if !endsFirst { rehearsal.feed(.session(.ended("s1"))) }
      rehearsal.feed(.pageClosed)
      #expect(rehearsal.take("session") == ["session s1 clearSession", "session s1 clearItem"])
      #expect(!rehearsal.presenter.isScreenTaken)
    }
  }

  // Proves: S29, R-34
  @Test func `who comes back to a session may leave it again`() {
    var rehearsal = Rehearsal()
    for id in ["p", "q"] {
      rehearsal.feed(.session(.joined("s1", media("one"))))
      rehearsal.feed(.deliver(player(id)))
      rehearsal.view(.closed(.button))
    }
    #expect(rehearsal.count("session s1 leave") == 2)
  }

  @Test func `ended while it comes, a player goes when it is there; earlier it does not come`() {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(player("p")))
    rehearsal.feed(.session(.ended("s1")))
    rehearsal.view(.presented)
    #expect(rehearsal.count("didDismiss p sessionEnded") == 1)
    rehearsal.prepare = nil
    rehearsal.feed(.deliver(player("q", session: "s2")))
    rehearsal.feed(.session(.ended("s2")))
    #expect(rehearsal.lines.contains("finished q refused(\(refusal(.sessionEnded)))"))
    #expect(rehearsal.count("session s2 leave") == 0)
  }

  // Proves: R-31, §7.11
  @Test func `when another person takes over, nothing of the first one is left`() throws {
    var rehearsal = Rehearsal()
    rehearsal.feed(.session(.joined("s1", media("one"))))
    rehearsal.feed(.deliver(player("p")))
    rehearsal.feed(.deliver(message("stacked")))
    rehearsal.viewGoes = false
    rehearsal.feed(.userChanged("u2"))
    #expect(
      rehearsal.take("willDismiss", "did", "session", "finished", "dismiss").dropFirst() == [
        "willDismiss p userChanged", "dismiss at once", "didDismiss p userChanged",
        "session s1 leave", "session s1 clearSession", "session s1 clearItem",
        "finished p presented(dismissedBy: InAppMessaging.InAppMessage.DismissReason.userChanged)",
        "finished stacked refused(\(refusal(.userMismatch)))",
      ])
    #expect(!rehearsal.presenter.isScreenTaken)
    #expect(rehearsal.presenter.stackedMessages == [])
  }

  // Proves: R-31, §7.11
  @Test func `images and choices that come for the person before are nobody's`() throws {
    var rehearsal = Rehearsal()
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m", kind: .modalImage)))
    let token = try #require(rehearsal.presenter.currentToken)
    rehearsal.choice = { _ in nil }
    rehearsal.feed(.userChanged("u2"))
    rehearsal.feed(.deliver(message("n", user: "u2")))
    _ = rehearsal.take()
    rehearsal.feed(.assets(.loaded, token))
    #expect(rehearsal.take() == [])
    rehearsal.feed(.chose(.now, try #require(rehearsal.tokens["n"])))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
  }
}
