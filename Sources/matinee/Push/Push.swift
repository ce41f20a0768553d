import ArgumentParser
import PushTransports
import UserNotifications
import Vocabulary
import Wire

/// `matinee push`: sends a notification to a person or to a topic's subscribers, as administrator.
struct Push: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send a notification to a person, or to all subscribers of a topic.",
    discussion: """
      All devices of a person receive it: connected ones over their connections, others through \
      the push services for which the server has keys. Where names have owners, nothing \
      is kept for a name that nobody owns. The server does not tell which devices it reaches. \
      With --sound default, it is heard.

        matinee push --user ann --body "At eight?" --admin-key-file admin.key
        matinee push --user ann --silent --data level=7 --admin-key-file admin.key
        matinee push --topic app/news --body "We are back" --admin-key-file admin.key

      A push with a --collapse-id can be taken back: a later one with the same id takes its place, \
      and a silent one takes it away.

        matinee push --user ann --silent --collapse-id a --admin-key-file admin.key

      The key must be the server's (matinee serve --admin-key-file), and is shown over an \
      encrypted connection or on the server's own machine. A token whose claim admin is true \
      replaces the key: --token-file.

      Exit codes: 0 the server accepted it, 64 wrong usage, 66 no valid key or token in the \
      file, 69 no server or it refuses, 75 no answer in time.
      """)

  @Option(help: ArgumentHelp("The person, as their apps name them.", valueName: "user"))
  var user: String?

  @Option(help: ArgumentHelp("The topic: app/ and a name.", valueName: "app/name"))
  var topic: String?

  @Option(help: ArgumentHelp("The first line shown.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("The second line.", valueName: "text"))
  var subtitle: String?

  @Option(help: ArgumentHelp("The text.", valueName: "text"))
  var body: String?

  @Option(
    help: ArgumentHelp(
      "The category; an app that knows it offers its actions. A browser offers none.",
      valueName: "id"))
  var category: String?

  @Option(
    help: ArgumentHelp(
      "The sound, such as default; without one it makes none. A browser has only its own.",
      valueName: "name"))
  var sound: String?

  @Option(
    help: ArgumentHelp(
      "A field for the app; repeatable. Numbers, true and false are read as such.",
      valueName: "key=value"))
  var data: [DataArgument] = []

  @Flag(help: "Show nothing; only inform the app.")
  var silent = false

  @Option(
    help: ArgumentHelp(
      "It replaces an earlier notification with the same id on every device.",
      valueName: "id"))
  var collapseId: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long it is kept; by default two weeks.", valueName: "seconds"))
  var timeToLive: Int?

  @Option(
    help: ArgumentHelp(
      "The file with the administrator's key; not with an administrator's token.",
      valueName: "file"), completion: .file())
  var adminKeyFile: String?

  @OptionGroup var server: ServerArguments

  func validate() throws {
    guard (user != nil) != (topic != nil) else {
      throw ValidationError("name a person with --user, or a topic with --topic, one of the two")
    }
    guard user?.isEmpty != true else { throw ValidationError("name a person") }
    if let topic, !topic.hasPrefix("app/") || topic == "app/" {
      throw ValidationError(
        "--topic takes app/ and a name, such as app/news, not \(topic); only apps publish to others"
      )
    }
    try validateShown()
    try validateFields()
    try validateTopic()
    guard adminKeyFile != nil || server.tokenFile != nil else {
      throw ValidationError(
        "give the administrator's key with --admin-key-file <file>, or an administrator's token "
          + "with --token-file")
    }
  }

  private func validateShown() throws {
    let shown = [
      ("title", title), ("subtitle", subtitle), ("body", body), ("category", category),
      ("sound", sound),
    ]
    if silent, let name = shown.first(where: { $0.1 != nil })?.0 {
      throw ValidationError("--silent shows nothing; leave --\(name) out, or --silent")
    }
    if let name = shown.first(where: { $0.1?.allSatisfy(\.isWhitespace) == true })?.0 {
      throw ValidationError("--\(name) is empty; write something, or leave it out")
    }
    guard silent || title != nil || body != nil else {
      throw ValidationError("give a text with --title or --body, or write --silent")
    }
  }

  private func validateFields() throws {
    if let twice = Dictionary(grouping: data, by: \.key).first(where: { $1.count > 1 })?.key {
      throw ValidationError("--data gives \(twice) twice")
    }
    guard !data.contains(where: { $0.key == "aps" }) else {
      throw ValidationError("--data cannot set aps: the other options set its fields")
    }
    if let timeToLive, !(1...Self.longestTimeToLive).contains(timeToLive) {
      throw ValidationError(
        "--time-to-live takes 1 to \(Self.longestTimeToLive) seconds, not \(timeToLive)")
    }
    do throws(PayloadFault) { try payload.check() } catch {
      guard case .tooLarge(let bytes, let limit) = error else { return }
      throw ValidationError("this is \(bytes) bytes of JSON, and \(limit) are allowed; shorten it")
    }
  }

  /// A publication to a topic has only a text, a category and fields.
  private func validateTopic() throws {
    guard topic != nil else { return }
    let options = [
      ("sound", sound != nil), ("collapse-id", collapseId != nil),
      ("time-to-live", timeToLive != nil),
    ]
    if let option = options.first(where: \.1)?.0 {
      throw ValidationError(
        "--\(option) is for --user; --topic takes only texts, --category and --data")
    }
  }

  private static let longestTimeToLive = Int(Limits.pushLifetime.components.seconds)

  private var alert: NotificationPayload.Alert? {
    guard !silent else { return nil }
    return NotificationPayload.Alert(
      title: title.map { .init($0) }, subtitle: subtitle.map { .init($0) },
      body: body.map { .init($0) })
  }

  private var fields: [String: PayloadValue] {
    Dictionary(data.map { ($0.key, $0.value) }) { $1 }
  }

  private var payload: NotificationPayload {
    var payload = NotificationPayload(alert, custom: fields)
    payload.categoryID = category
    payload.sound = sound.map { NotificationSound($0) }
    payload.isContentAvailable = silent
    return payload
  }

  private func request(with key: String?) -> TrayRequest? {
    if let user {
      return .push(
        DirectPush(
          to: UserID(user), payload, collapseID: collapseId,
          timeToLive: timeToLive.map { .seconds($0) }, key: key))
    }
    return topic.map {
      .publish(
        TopicPublication(
          to: TopicID($0), alert: alert, category: category, data: fields, key: key))
    }
  }

  func run() throws {
    let key: String?
    do throws(KeyFileError) {
      key = try adminKeyFile.map { (file) throws(KeyFileError) in
        try KeyFile.administratorKey(file).text
      }
    } catch {
      throw complaint("\(error)", 66)
    }
    guard let request = request(with: key) else { return }
    let question = PushQuestion(request: request)
    if let key {
      try server.ask(question, withKey: key)
    } else {
      try server.ask(question, asAnybody: UserID("administrator"))
    }
    print(
      user.map { "accepted for \($0): devices registered under this name get it, if there are any" }
        ?? "published to \(topic ?? ""): its subscribers get it, if there are any")
  }
}

/// Asks a server to push, and waits until it has accepted.
struct PushQuestion: Question {
  let request: TrayRequest

  var firstRequest: Request { .notifications(request) }

  mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<Void> {
    if case .answer = message { .answered(()) } else { .none }
  }
}

/// A field beside `aps` on the command line: `key=value`.
struct DataArgument: ExpressibleByArgument {
  let key: String
  let value: PayloadValue

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    key = String(argument[..<sign])
    value = PayloadValue(plain: String(argument[argument.index(after: sign)...]))
  }
}

extension PayloadValue {
  /// Parses a value from the command line.
  ///
  /// The text becomes a Boolean or a number only if that prints as exactly this text. So `007` and
  /// `+49` stay texts.
  init(plain text: String) {
    if text == "true" || text == "false" {
      self = .bool(text == "true")
    } else if let number = Int64(text), "\(number)" == text {
      self = .integer(number)
    } else if let number = Double(text), number.isFinite, "\(number)" == text {
      self = .number(number)
    } else {
      self = .string(text)
    }
  }
}
