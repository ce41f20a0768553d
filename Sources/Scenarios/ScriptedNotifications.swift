import Participation
import UserNotifications
import Vocabulary
import Wire

/// What a person of a scenario sees of notifications on one device, and did about them.
struct ScriptedNotifications: Equatable, Sendable {
  /// Those that stand, also while the app does not run.
  private(set) var standing: [UserNotification] = []
  /// Whether the person's notifications come to this device: apps say so at each start.
  var isRegistered = false
  /// Whether the app runs.
  var isRunning = true
  /// Those that the person did something about and that go because of it.
  private var answered: Set<NotificationID> = []
  private var withdrawn: [Observation.Notice] = []
  private var isToldSilently = false
  private var mirrors: [SessionObject.Part: StateMirror] = [:]

  /// The newest invitation that stands.
  var invitation: UserNotification? {
    standing.last { $0.content.categoryID == NotificationCategory.groupWatchInviteID }
  }

  /// The person did something about one.
  mutating func answer(_ id: NotificationID) { answered.insert(id) }

  /// The person answered one where no client sees it.
  mutating func answerUnseen(_ id: NotificationID) {
    if !isRunning { standing.removeAll { $0.id == id } }
  }

  /// What came before the person does something is no news any more.
  mutating func forgetNews() {
    withdrawn = []
    isToldSilently = false
  }

  /// Another client begins: what stands is what the server says.
  mutating func restart() {
    standing = []
    answered = []
    mirrors = [:]
    isRunning = true
  }

  mutating func hear(_ update: Client.Update) {
    switch update {
    case .standing(let notifications):
      let names = notifications.map(\.content.notice.name)
      withdrawn.removeAll { names.contains($0.name) }
      standing = notifications
    case .center(.remove(let ids)):
      let gone = standing.filter { ids.contains($0.id) && !answered.contains($0.id) }
      withdrawn += gone.map(\.content.notice)
      answered.subtract(ids)
    case .center(.call(.reception(let notification, _), _)):
      if !notification.content.hasText { isToldSilently = true }
    case .object(let object, let mirror): mirrors[object.part] = mirror
    default: break
    }
  }

  /// Takes in what is to be seen.
  func fill(_ seen: inout Observation) {
    seen.notifications = standing.map(\.content.notice)
    seen.withdrawn = withdrawn
    seen.isToldSilently = isToldSilently
    for (part, mirror) in mirrors where mirror.version != nil {
      seen.mirrors[part.rawValue] = mirror.fields.mapValues(\.plainText)
    }
  }
}

extension NotificationContent {
  fileprivate var notice: Observation.Notice { Observation.Notice(title: title, body: body) }
}

extension PayloadValue {
  /// The value as it is written in a condition; of lists the elements one after the other.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let isTrue): "\(isTrue)"
    case .null: "nothing"
    case .list(let values): values.map(\.plainText).joined(separator: " ")
    case .dictionary(let fields): fields.keys.sorted().joined(separator: " ")
    }
  }
}
