package import InAppMessaging
import Vocabulary
import Wire

extension RandomValues {
  mutating func messagingRequest(_ type: String) -> MessagingRequest? {
    switch type {
    case "appState": .appState(appState())
    case "logEvent": .logEvent(text(), properties(), sequence: maybe { $0.count() })
    case "logPurchase":
      .logPurchase(product: text(), properties(), sequence: maybe { $0.count() })
    case "logPushOpened":
      .logPushOpened(campaign: maybe { $0.text() }, sequence: maybe { $0.count() })
    case "reportMessage": .report(id(), report(), sequence: maybe { $0.count() })
    case "setAttributes":
      .setAttributes(
        Dictionary(list { ($0.text(), $0.maybe { $0.property() }) }) { first, _ in first })
    case "setMembership": .setMembership(list: text(), chance())
    case "setCollection": .setCollection(chance())
    case "pauseMessaging": .pause(chance())
    case "wipeMessaging": .wipe
    case "revalidateMessages": .revalidate(list { $0.id() })
    case "explainMessages": .explain(maybe { $0.id() }, of: maybe { $0.id() })
    case "testMessage":
      .test(id(), variant: maybe { $0.text() }, event: maybe { $0.text() }, properties())
    default: nil
    }
  }

  private mutating func appState() -> AppState {
    AppState(
      isVisible: chance(), change: maybe { $0.one() }, epoch: count(),
      sequence: maybe { $0.count() }, app: maybe { $0.text() }, version: maybe { $0.text() },
      capabilities: Set(list { $0.text() }))
  }

  /// A client's report on a delivery, of this kind.
  package mutating func report(_ name: String) -> MessageReport {
    switch name {
    case "waiting": .waiting
    case "started": .started
    case "impression": .impression
    case "clicked": .clicked(button: maybe { $0.text() })
    case "dismissed": .dismissed(dismissReason(one()))
    case "refused": .refused(one())
    default: preconditionFailure("no value for \(name)")
    }
  }

  private mutating func report() -> MessageReport {
    report(one(of: ["waiting", "started", "impression", "clicked", "dismissed", "refused"]))
  }

  /// A reason of this kind.
  package mutating func dismissReason(
    _ name: InAppMessage.DismissReason.Name
  ) -> InAppMessage.DismissReason {
    InAppMessage.DismissReason(name, button: name == .action ? maybe { $0.text() } : nil)
  }

  /// How a delivery ended.
  package mutating func outcome() -> InAppMessage.Outcome {
    switch number(0...2) {
    case 0: .presented(dismissedBy: dismissReason(one()))
    case 1: .control
    default: .refused(one())
    }
  }

  /// An app event of this kind.
  package mutating func appEvent(_ name: AppEvent.Name) -> AppEvent {
    switch name {
    case .launch: .launch
    case .foreground: .foreground
    case .sessionStart: .sessionStart
    case .event: .event(name: text(), properties: properties())
    case .purchase: .purchase(product: text(), properties: properties())
    case .pushOpened: .pushOpened(campaign: maybe { $0.text() })
    }
  }

  mutating func explanation() -> Explanation {
    var explanation = Explanation(campaign: id())
    explanation.now = maybe { $0.one() }
    explanation.detail = maybe { $0.text() }
    guard chance() else { return explanation }
    explanation.trigger = maybe { $0.text() }
    explanation.last = Evaluation(
      campaign: explanation.campaign, at: instant(), refusal: maybe { $0.one() },
      clue: maybe {
        switch $0.number(0...2) {
        case 0: .until($0.instant())
        case 1: .place($0.number(-1...20))
        default: .content($0.one())
        }
      })
    return explanation
  }

  /// Properties of an event, or extras of a message.
  package mutating func properties() -> [String: PropertyValue] {
    Dictionary(list { ($0.text(), $0.property()) }) { first, _ in first }
  }

  /// A value of any type.
  package mutating func property() -> PropertyValue {
    switch number(0...4) {
    case 0: .string(chance() ? "" : text())
    case 1: .number(Double(count()))
    case 2: .number(Double(number(-1_000_000...1_000_000)) / 64)
    case 3: .bool(chance())
    default: .list(list { $0.text() })
    }
  }
}

// MARK: A message

extension RandomValues {
  /// A message, of the given kind if there is one.
  package mutating func inAppMessage(_ kind: InAppMessage.Kind? = nil) -> InAppMessage {
    var message = InAppMessage(id: id(), kind: kind ?? one(), body: body())
    if chance() { message.campaign = campaign() }
    if chance() { message.surface = surface() }
    message.clickAction = maybe { $0.clickAction() }
    message.buttons = list { $0.button() }
    if chance() { message.closing = closing() }
    message.orientation = one()
    message.themes = themes()
    message.animatesIn = chance()
    message.animatesOut = chance()
    message.extras = properties()
    message.language = maybe { $0.text() }
    if chance() { message.impression = impression() }
    message.session = maybe { $0.id() }
    return message
  }

  private mutating func campaign() -> CampaignReference {
    CampaignReference(id: id(), name: text(), variant: text(), isTest: chance(), user: id())
  }

  private mutating func body() -> InAppMessage.Body {
    switch number(0...3) {
    case 0:
      var text = InAppMessage.Text(
        text(), header: maybe { $0.text() }, alignment: one(), headerAlignment: one(),
        landscapeImage: maybe { $0.image() })
      text.graphic = maybe { $0.chance() ? .icon($0.text()) : .image($0.image()) }
      return .text(text)
    case 1: return .image(image(), landscape: maybe { $0.image() })
    case 2:
      return .html(
        InAppMessage.Page(text(), baseURL: maybe { $0.text() }, allowsScripts: chance()))
    default: return .empty
    }
  }

  private mutating func image() -> InAppMessage.Image {
    InAppMessage.Image(url: text(), alternativeText: maybe { $0.text() })
  }

  private mutating func surface() -> InAppMessage.Surface { InAppMessage.Surface(one()) }

  /// A click action; sequences nest to a small depth.
  package mutating func clickAction(depth: Int = 2) -> InAppMessage.ClickAction {
    let name: InAppMessage.ClickAction.Name = one()
    return clickAction(name == .sequence && depth == 0 ? .close : name, depth: depth)
  }

  /// A click action of this kind.
  package mutating func clickAction(
    _ name: InAppMessage.ClickAction.Name, depth: Int = 2
  ) -> InAppMessage.ClickAction {
    switch name {
    case .close: .close
    case .open: .open(url: text(), inApp: chance())
    case .deepLink: .deepLink(text())
    case .logEvent: .logEvent(name: text(), properties: properties())
    case .setAttribute: .setAttribute(key: text(), value: property())
    case .requestPushPermission: .requestPushPermission
    case .session: .session(one())
    case .sequence: .sequence(list { $0.clickAction(depth: depth - 1) })
    }
  }

  private mutating func button() -> InAppMessage.Button {
    InAppMessage.Button(
      id: text(), text: text(), clickAction: chance() ? .close : clickAction(), themes: themes())
  }

  private mutating func closing() -> InAppMessage.ClosePolicy {
    InAppMessage.ClosePolicy(
      after: maybe { $0.duration() }, bySwipe: chance(), byButton: chance(),
      byTapOutside: chance())
  }

  private mutating func impression() -> InAppMessage.ImpressionPolicy {
    switch number(0...2) {
    case 0: .onPresent
    case 1: .afterVisible(duration())
    default: .explicit
    }
  }

  private mutating func themes() -> InAppMessage.Themes {
    InAppMessage.Themes(
      light: chance() ? InAppMessage.Theme() : theme(), dark: maybe { $0.theme() })
  }

  private mutating func theme() -> InAppMessage.Theme {
    var theme = InAppMessage.Theme()
    for part in InAppMessage.Theme.Part.allCases { theme[part] = color() }
    return theme
  }

  private mutating func color() -> Color? {
    maybe {
      $0.chance()
        ? 0xFF00_0000 | UInt32($0.number(0...0xFF_FFFF)) : UInt32($0.number(0...Int(UInt32.max)))
    }
    .map(Color.init(argb:))
  }
}
