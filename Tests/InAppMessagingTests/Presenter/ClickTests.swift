import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct ClickTests {
  private func modal(_ ids: String...) -> InAppMessage {
    message("m" + ids.joined()) {
      $0.clickAction = .deepLink("/body")
      $0.buttons = ids.map { .init(id: $0, text: $0, clickAction: .deepLink("/" + $0)) }
    }
  }

  // Proves: B23, B24, R-26, §7.4
  @Test func `buttons are found by their ids`() {
    for (message, id) in [(modal("1"), "1"), (modal("7", "3"), "3"), (modal("a"), "a")] {
      var rehearsal = Rehearsal()
      rehearsal.feed(.deliver(message))
      rehearsal.view(.clicked(button: "9"))
      rehearsal.view(.clicked(button: nil))
      #expect(
        rehearsal.take("report m", "warn", "process").dropFirst(2)
          == ["warn \(message.id) unknownButton(\"9\")"])
      rehearsal.view(.clicked(button: id))
      #expect(rehearsal.take("perform") == ["perform deepLink(\"/\(id)\")"])
    }
  }

  // Proves: F15
  @Test(arguments: ["primary", "secondary"])
  func `each button of a card opens its own page`(id: String) {
    var rehearsal = Rehearsal()
    rehearsal.feed(
      .deliver(
        message("m", kind: .card) {
          $0.buttons = ["secondary", "primary"].map { id in
            .init(
              id: id, text: id,
              clickAction: .open(url: "https://example.com/\(id)", inApp: false))
          }
        }))
    rehearsal.view(.clicked(button: id))
    let opened = rehearsal.outputs.compactMap {
      if case .perform(let action, _) = $0 { action } else { nil }
    }
    #expect(opened == [.open(url: "https://example.com/\(id)", inApp: false)])
  }

  // Proves: R-26, A22
  @Test func `a tap on the body closes where there are no buttons, and at an edge always`() {
    let clicks: [(InAppMessage.Kind, InAppMessage.ClickAction?, hasButton: Bool, Bool)] = [
      (.modal, .close, false, true), (.modal, nil, false, true), (.modal, .close, true, false),
      (.full, .deepLink("/x"), false, true), (.slideup, nil, false, true),
      (.banner, .close, true, true), (.html, nil, false, true),
    ]
    for (kind, action, hasButton, isLive) in clicks {
      var rehearsal = Rehearsal()
      rehearsal.feed(
        .deliver(
          message("m", kind: kind) {
            $0.clickAction = action
            if hasButton { $0.buttons = [.init(id: "1", text: "x")] }
          }))
      rehearsal.view(.clicked(button: nil))
      #expect(rehearsal.count("didDismiss m action(button: nil)") == (isLive ? 1 : 0))
    }
  }

  @Test func `a tap in an app's own view is the view's business`() {
    var rehearsal = Rehearsal()
    rehearsal.presenter.settings.registry.register("map", MessageViewRequirements())
    rehearsal.feed(.deliver(message("m") { $0.extras["view_type"] = .string("map") }))
    rehearsal.view(.clicked(button: nil))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves: R-29, A23, A24
  @Test func `what touches a switch or a link touches nothing else`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .slideup)))
    rehearsal.view(.clicked(button: nil, isOnControl: true))
    rehearsal.view(.closed(.swipe(fromControl: true)))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    rehearsal.view(.clicked(button: nil))
    #expect(rehearsal.presenter.visibleMessage == nil)
  }

  // Proves: R-26, §7.8
  @Test func `the first click wins, over a second, the time that is up, and a dismissal`() {
    var rehearsal = Rehearsal()
    rehearsal.processes = nil
    rehearsal.viewGoes = false
    rehearsal.feed(
      .deliver(
        message("m") {
          $0.closing.after = .seconds(1)
          $0.buttons = [
            .init(id: "1", text: "a", clickAction: .logEvent(name: "X", properties: [:])),
            .init(id: "2", text: "b"),
          ]
        }))
    rehearsal.view(.clicked(button: "1"))
    rehearsal.pass(.milliseconds(20))
    rehearsal.view(.clicked(button: "1"))
    rehearsal.view(.clicked(button: "2"))
    rehearsal.view(.closed(.button))
    rehearsal.feed(.dismiss())
    rehearsal.pass(.milliseconds(980))
    #expect(rehearsal.take("report m clicked", "process", "willDismiss").count == 2)
    // An app that has no word within five seconds has the action taken.
    rehearsal.pass(.milliseconds(4_000))
    #expect(rehearsal.take("perform", "willDismiss").count == 2)
    rehearsal.view(.clicked(button: "2"))
    rehearsal.view(.dismissed)
    #expect(rehearsal.take("report m clicked", "didDismiss").count == 1)
  }

  // Proves: R-28
  @Test func `the time that is up and a click never both end a message`() {
    var rehearsal = Rehearsal()
    rehearsal.viewGoes = false
    let timed = message("m") {
      $0.closing.after = .seconds(1)
      $0.clickAction = .close
    }
    rehearsal.feed(.deliver(timed))
    rehearsal.pass(.seconds(1))
    rehearsal.view(.clicked(button: nil))
    #expect(rehearsal.take("report m clicked", "willDismiss") == ["willDismiss m automatic"])
  }

  // Proves: R-16, §7.8
  @Test func `what a click brings is shown after the message, and before the stack`() {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.viewGoes = false
    rehearsal.feed(
      .deliver(message("m") { $0.clickAction = .logEvent(name: "X", properties: [:]) }))
    rehearsal.feed(.deliver(message("s")))
    rehearsal.view(.clicked(button: nil))
    rehearsal.feed(.deliver(message("f1")))
    rehearsal.feed(.deliver(message("f2")))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["f1", "s"])
    _ = rehearsal.take()
    rehearsal.view(.dismissed)
    #expect(
      rehearsal.take("didDismiss", "finished", "choice") == [
        "didDismiss m action(button: nil)",
        "finished m presented(dismissedBy: InAppMessaging.InAppMessage.DismissReason.action(button: nil))",
        "choice f2 followUp",
      ])
    rehearsal.view(.closed(.button))
    rehearsal.view(.dismissed)
    #expect(rehearsal.lines.contains("choice f1 stack"))
  }

  // Proves: B26
  @Test func `a page may log, act beside itself, and close itself`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .html)))
    rehearsal.view(.loggedClick(button: "x"))
    rehearsal.view(.loggedClick(button: "x"))
    rehearsal.view(
      .clicked(
        button: "any", action: .open(url: "https://a.example", inApp: false), isTransient: true))
    #expect(rehearsal.take("report m clicked").count == 3)
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    rehearsal.feed(.deliver(message("n")))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["n"])
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("didDismiss m") == 1)
  }

  // Proves: R-26
  @Test func `going elsewhere in the app closes a page whatever it says`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .html)))
    rehearsal.view(.clicked(button: "a", action: .deepLink("/x"), isTransient: true))
    #expect(rehearsal.count("didDismiss m") == 1)
  }

  @Test func `a page's link into code is not followed`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .html)))
    rehearsal.view(.clicked(button: "a", action: .open(url: "javascript:x", inApp: true)))
    #expect(rehearsal.take("perform", "warn") == ["warn m refusedLink(\"javascript:x\")"])
  }

  @Test func `more clicks than an app can be asked about are not taken`() {
    var rehearsal = Rehearsal()
    rehearsal.processes = nil
    rehearsal.feed(.deliver(message("m", kind: .html)))
    for _ in 1...9 {
      rehearsal.view(.clicked(button: "a", action: .close, isTransient: true))
    }
    #expect(rehearsal.count("process") == 8)
    #expect(rehearsal.count("warn m tooManyClicks") == 1)
  }

  // Proves: A17, A20
  @Test func `what a custom view submits is done like a click, and a sequence in its order`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(
      .deliver(
        message("m") {
          $0.body = .text(.init("Tea, Coffee"))
          $0.buttons = [.init(id: "1", text: "Submit")]
          $0.extras = ["view_type": .string("table_list"), "attribute_key": .string("drinks")]
        }))
    let keep = InAppMessage.ClickAction.setAttribute(key: "drinks", value: .list(["Tea"]))
    rehearsal.view(.clicked(button: "1", action: .sequence([keep, .requestPushPermission])))
    let performed = rehearsal.outputs.compactMap { output in
      if case .perform(let action, _) = output { action } else { nil }
    }
    #expect(performed == [keep, .requestPushPermission])
    #expect(rehearsal.count("didDismiss m action") == 1)
  }

  @Test func `a person closes a message as its author allows, and with Escape always`() {
    let gestures: [(MessageCloseGesture, InAppMessage.ClosePolicy)] = [
      (.button, .init(byButton: true)), (.swipe(), .init(bySwipe: true, byButton: false)),
      (.tapOutside, .init(byButton: false, byTapOutside: true)),
    ]
    for (gesture, policy) in gestures {
      for (other, _) in gestures {
        var rehearsal = Rehearsal()
        rehearsal.feed(.deliver(message("m") { $0.closing = policy }))
        rehearsal.view(.closed(other))
        #expect((rehearsal.presenter.visibleMessage == nil) == (gesture == other))
        rehearsal.view(.closed(.escape))
        #expect(rehearsal.presenter.visibleMessage == nil)
      }
    }
  }

  // Proves: F33
  @Test func `a button without anything to do closes the message`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m") { $0.buttons = [.init(id: "primary", text: "OK")] }))
    rehearsal.view(.clicked(button: "primary"))
    #expect(rehearsal.count("perform") == 0)
    #expect(rehearsal.count("didDismiss m action") == 1)
  }
}
