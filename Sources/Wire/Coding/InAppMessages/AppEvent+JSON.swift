import InAppMessaging
import JSON
import Vocabulary

/// The form in the journal; in the protocol, each event has its own request.
extension AppEvent: Tagged, Fields {
  static let tag = "type"

  static let cases = CaseTable<AppEvent>(
    Cases.launch, Cases.foreground, Cases.sessionStart, Cases.event, Cases.purchase,
    Cases.pushOpened)

  private enum Cases {
    static let launch = Case("launch", AppEvent.launch)
    static let foreground = Case("foreground", AppEvent.foreground)
    static let sessionStart = Case("sessionStart", AppEvent.sessionStart)
    static let event = Case("event", AppEvent.event, "name", "properties")
    static let purchase = Case("purchase", AppEvent.purchase, "product", "properties")
    static let pushOpened = Case("pushOpened", AppEvent.pushOpened, "campaign")
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .launch: Cases.launch.write(to: &writer)
    case .foreground: Cases.foreground.write(to: &writer)
    case .sessionStart: Cases.sessionStart.write(to: &writer)
    case .event(let name, let properties): Cases.event.write((name, properties), to: &writer)
    case .purchase(let product, let properties):
      Cases.purchase.write((product, properties), to: &writer)
    case .pushOpened(let campaign): Cases.pushOpened.write(campaign, to: &writer)
    }
  }
}
