/// An event that may trigger campaigns: an app's, or one of the engine's own.
enum TriggeringEvent {
  /// An app's event; the app coming to the front may begin a session.
  case app(AppEvent, beginsSession: Bool)
  case clicked(CampaignID, button: String?)

  /// What its triggers may select besides its name: a product, a push's campaign, a button.
  var subject: String? {
    switch self {
    case .app(.purchase(let product, _), _): product
    case .app(.pushOpened(let campaign), _): campaign
    case .app: nil
    case .clicked(_, let button): button
    }
  }

  var properties: [String: PropertyValue] {
    if case .app(let event, _) = self { event.properties } else { [:] }
  }
}

extension Trigger {
  /// The product, the push's campaign or the button it waits for; `nil` for any.
  var subject: String? {
    switch self {
    case .pushOpened(let campaign): campaign
    case .purchase(let product, _): product
    case .messageClicked(_, let button): button
    case .launch, .foreground, .sessionStart, .event: nil
    }
  }

  /// The conditions on the properties of its event.
  var filters: [PropertyFilter] {
    switch self {
    case .event(_, let filters), .purchase(_, let filters): filters
    case .launch, .foreground, .sessionStart, .pushOpened, .messageClicked: []
    }
  }
}

/// The triggers of live campaigns, by what they wait for, so that an event looks at the triggers of
/// its name only.
struct TriggerIndex: Equatable, Sendable {
  /// A trigger of a campaign, both by their places.
  struct Entry: Equatable, Sendable {
    let ordinal: UInt16
    let trigger: UInt8
    let filters: FilterTable.Place
  }

  private(set) var filters = FilterTable()
  private var events: [String: [Entry]] = [:]
  private var clicks: [CampaignID: [Entry]] = [:]
  private var purchases: [Entry] = []
  private var pushes: [Entry] = []
  private var launches: [Entry] = []
  private var foregrounds: [Entry] = []
  private var sessions: [Entry] = []
  /// Both, in the campaigns' order, for an event that is both.
  private var launchesAndSessions: [Entry] = []
  private var foregroundsAndSessions: [Entry] = []

  /// Enters a campaign's triggers; campaigns come in their order.
  mutating func enter(_ compiled: CompiledCampaign, _ ordinal: UInt16) {
    for (place, trigger) in compiled.campaign.triggers.enumerated() {
      let entry = Entry(
        ordinal: ordinal, trigger: UInt8(place),
        filters: filters.enter(trigger, compiled.filters[place]))
      switch trigger {
      case .launch:
        launches.append(entry)
        launchesAndSessions.append(entry)
      case .foreground:
        foregrounds.append(entry)
        foregroundsAndSessions.append(entry)
      case .sessionStart:
        sessions.append(entry)
        launchesAndSessions.append(entry)
        foregroundsAndSessions.append(entry)
      case .pushOpened: pushes.append(entry)
      case .purchase: purchases.append(entry)
      case .event(let name, _): events[name, default: []].append(entry)
      case .messageClicked(let campaign, _): clicks[campaign, default: []].append(entry)
      }
    }
  }

  func entries(for event: TriggeringEvent) -> [Entry] {
    switch event {
    case .app(.event(let name, _), _): events[name] ?? []
    case .app(.purchase, _): purchases
    case .app(.pushOpened, _): pushes
    case .app(.sessionStart, _): sessions
    case .app(.launch, let beginsSession): beginsSession ? launchesAndSessions : launches
    case .app(.foreground, let beginsSession): beginsSession ? foregroundsAndSessions : foregrounds
    case .clicked(let campaign, _): clicks[campaign] ?? []
    }
  }
}
