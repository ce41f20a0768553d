import GroupSessions
import Playback
import UserNotifications
import Vocabulary
package import YAML

extension Verb {
  /// The syntax of each verb.
  package static let forms = [
    "group join [NAME]", "group leave", "group close", "sharing on|off",
    "prefer me|none",
    "activate [ITEM] [--answer share|me|cancel] [--replace] [--one-device] [--audience] "
      + "[--hosts-only] [--waiting keepGoing|together] [--at POSITION]",
    "stage [ITEM] [as in activate]", "begin", "withdraw", "join",
    "decline [invitation [by token]]", "accept invitation [by token]", "leave", "end",
    "kick NAME [ban]", "role NAME host|coHost|guest|listener", "ready [NAME]", "unready [NAME]",
    "countdown [off]",
    "control everyone|hostsOnly",
    "waiting keepGoing|together", "say TEXT", "tell NAME TEXT", "play [now]",
    "pause", "seek POSITION", "rate FACTOR", "suspend REASON", "resume [propose POSITION]",
    "item NAME",
    "queue add|next|move|remove|select NAME", "queue forward|back|clear|shuffle|unshuffle",
    "queue repeat off|one|all", "queue advance on|off", "log EVENT", "dismiss [notification]",
    "click [BUTTON]",
    "next message", "app visible|hidden|started|ended", "register", "unregister",
    "subscribe state|queue|TOPIC", "unsubscribe state|queue|TOPIC", "publish TOPIC TEXT",
    "push PERSON TEXT", "invite PERSON… [for DURATION]", "revoke PERSON…", "reply TEXT", "tap",
    "stall SECONDS", "press play|pause|seek POSITION|rate FACTOR",
    "network cut",
    "network restore", "network delay DURATION [jitter DURATION]", "network stall SECONDS",
  ]

  /// Reads a verb in the notation of the command line.
  ///
  /// - Throws: what is wrong with the phrase, and what to write instead.
  package init(_ phrase: String) throws(PhraseError) {
    var words = try Words(phrase)
    let first = try words.next("a verb")
    if let simple = Self.simple(first) {
      self = simple
    } else {
      self = try Self.read(first, &words)
    }
    try words.finish()
  }

  private static func simple(_ word: String) -> Verb? {
    switch word {
    case "join": .join
    case "leave": .leave
    case "end": .end
    case "pause": .pause
    case "begin": .begin
    case "withdraw": .withdraw
    case "register": .register
    case "unregister": .unregister
    case "tap": .tapNotification
    default: nil
    }
  }

  private static func read(_ first: String, _ words: inout Words) throws(PhraseError) -> Verb {
    switch first {
    case "group": return try readGroup(&words)
    case "sharing": return .setSharing(try words.choice("on or off", Switch.self) == .on)
    case "prefer": return .prefer(try words.choice("me or none"))
    case "activate":
      var answer: ShareAnswer? = .share
      let (item, manner) = try readActivation(of: first, &words, &answer)
      return .activate(item: item, answer: answer ?? .share, manner: manner)
    case "stage":
      var answer: ShareAnswer?
      let (item, manner) = try readActivation(of: first, &words, &answer)
      return .stage(item: item, manner: manner)
    case "kick": return .kick(try words.next("a name"), isBanned: words.take("ban"))
    case "role": return .setRole(try words.next("a name"), try words.choice("a role"))
    case "ready", "unready": return .setReady(first == "ready", of: words.next())
    case "countdown": return .countdown(!words.take("off"))
    case "control": return .setControl(try words.choice("a control policy"))
    case "waiting": return .setWaiting(try words.choice("a waiting policy"))
    case "say": return .say(try words.text())
    case "tell": return .tell(try words.next("a name"), try words.text())
    case "log":
      return .logEvent(([try words.next("an event")] + words.takeAll()).joined(separator: " "))
    case "click": return .clickMessage(words.next())
    case "next":
      try words.expect("message", of: first)
      return .presentNext
    case "app": return try readApp(&words)
    default:
      if let verb = try readPlayback(first, &words) { return verb }
      if let verb = try readNotifications(first, &words) { return verb }
      let known = Set(forms.compactMap { $0.split(separator: " ").first.map(String.init) }).sorted()
      throw PhraseError("there is no verb `\(first)`", suggestion(for: first, known))
    }
  }

  private static func readPlayback(
    _ first: String, _ words: inout Words
  ) throws(PhraseError) -> Verb? {
    switch first {
    case "play": return .play(immediately: words.take("now"))
    case "seek": return .seek(try words.position())
    case "rate": return .setRate(try words.rate())
    case "suspend": return .suspend(SuspensionReason(try words.next("a reason")))
    case "resume": return .resume(proposing: words.take("propose") ? try words.position() : nil)
    case "item": return .item(try words.next("an item"))
    case "queue": return .queue(try readQueue(&words))
    case "stall": return .stall(try words.duration("a length of time"))
    case "press": return .press(try readKey(&words))
    case "network": return try readNetwork(&words)
    default: return nil
    }
  }
  private static func readGroup(_ words: inout Words) throws(PhraseError) -> Verb {
    let word = try words.next("join, leave or close")
    switch word {
    case "join": return .joinGroup(words.next())
    case "leave": return .leaveGroup
    case "close": return .closeGroup
    default: throw unknown(word, of: "group", ["join", "leave", "close"])
    }
  }

  private static func readQueue(_ words: inout Words) throws(PhraseError) -> QueueInstruction {
    let word = try words.next("a queue action")
    switch word {
    case "add": return .add(try words.next("an item"), isNext: false)
    case "next": return .add(try words.next("an item"), isNext: true)
    case "move":
      let name = try words.next("an item")
      return .move(name, after: words.take("after") ? try words.next("an item") : nil)
    case "remove": return .remove(try words.next("an item"))
    case "select": return .select(try words.next("an item"))
    case "forward": return .next
    case "back": return .previous
    case "clear": return .clear
    case "shuffle": return .shuffle
    case "unshuffle": return .unshuffle
    case "repeat": return .setRepeat(try words.choice("a repeat mode"))
    case "advance": return .setAutoAdvance(try words.choice("on or off", Switch.self) == .on)
    default:
      throw unknown(
        word, of: "queue",
        [
          "add", "next", "move", "remove", "select", "forward", "back", "clear", "shuffle",
          "unshuffle", "repeat", "advance",
        ])
    }
  }

  private static func readKey(_ words: inout Words) throws(PhraseError) -> PlayerKey {
    let word = try words.next("a key")
    switch word {
    case "play": return .play
    case "pause": return .pause
    case "seek": return .seek(try words.position())
    case "rate": return .rate(try words.rate())
    default: throw unknown(word, of: "press", ["play", "pause", "seek", "rate"])
    }
  }

  private static func readNetwork(_ words: inout Words) throws(PhraseError) -> Verb {
    let word = try words.next("a network action")
    switch word {
    case "cut": return .cutNetwork
    case "restore": return .restoreNetwork
    case "stall": return .stallNetwork(try words.duration("a length of time"))
    case "delay":
      let delay = try words.duration("a delay")
      let jitter = words.take("jitter") ? try words.duration("a jitter") : .zero
      return .setNetwork(NetworkConditions(delay: delay, jitter: jitter))
    default: throw unknown(word, of: "network", ["cut", "restore", "delay", "stall"])
    }
  }

  static func unknown(
    _ word: String, of verb: String, _ known: [String]
  ) -> PhraseError {
    PhraseError("`\(verb)` does not accept `\(word)`", suggestion(for: word, known))
  }

  private enum Switch: String, CaseIterable { case on, off }
}

extension Verb {
  /// The peers that the verb names.
  var peers: [String] {
    switch self {
    case .kick(let name, _), .setRole(let name, _), .tell(let name, _): [name]
    case .setReady(_, let name): name.map { [$0] } ?? []
    default: []
    }
  }

  /// The items that the verb names.
  var items: [String] {
    switch self {
    case .activate(let item, _, _), .stage(let item, _): item.map { [$0] } ?? []
    case .item(let name): [name]
    case .queue(let verb): verb.items
    default: []
    }
  }
}

extension QueueInstruction {
  fileprivate var items: [String] {
    switch self {
    case .add(let name, _), .remove(let name), .select(let name): [name]
    case .move(let name, let other): [name] + (other.map { [$0] } ?? [])
    case .clear, .next, .previous, .setRepeat, .setAutoAdvance, .shuffle, .unshuffle: []
    }
  }
}

// Starting and staging activities.
extension Verb {
  /// Reads an item and the options of its activation.
  ///
  /// - Parameter answer: the person's answer when asked; `nil` if the verb does not ask.
  static func readActivation(
    of verb: String, _ words: inout Words, _ answer: inout ShareAnswer?
  ) throws(PhraseError) -> (item: String?, manner: ActivationManner) {
    var item: String?
    var manner = ActivationManner()
    while let word = words.next() {
      switch word {
      case "--answer" where answer != nil: answer = try words.choice("an answer")
      case "--replace": manner.isReplacing = true
      case "--one-device": manner.oneDevicePerUser = true
      case "--audience": manner.hasAudience = true
      case "--hosts-only": manner.control = .hostsOnly
      case "--waiting": manner.waiting = try words.choice("a waiting policy")
      case "--at": manner.position = try words.position()
      case _ where word.hasPrefix("--"):
        let options = [
          "--replace", "--one-device", "--audience", "--hosts-only", "--waiting", "--at",
        ]
        throw unknown(word, of: verb, (answer == nil ? [] : ["--answer"]) + options)
      default:
        if let item {
          throw PhraseError(
            "`\(verb)` takes one item, not `\(item)` and `\(word)`",
            "put quotation marks around a name with spaces")
        }
        item = word
      }
    }
    return (item, manner)
  }
}

// Notifications and invitations.
extension Verb {
  /// Reads a verb about notifications; `nil` if the word does not begin one.
  static func readNotifications(
    _ first: String, _ words: inout Words
  ) throws(PhraseError) -> Verb? {
    switch first {
    case "subscribe": return .subscribe(try readSubject(&words))
    case "unsubscribe": return .unsubscribe(try readSubject(&words))
    case "publish": return .publish(TopicID(try words.next("a topic")), try words.text())
    case "push": return .push(try words.next("a person"), try words.text())
    case "invite": return try readInvitation(&words)
    case "revoke": return .revokeInvitations([try words.next("a person")] + words.takeAll())
    case "reply": return .reply(try words.text())
    case "accept":
      try words.expect("invitation", of: first)
      return .answerInvitation(.accepted, byToken: try readToken(&words))
    case "decline":
      guard let word = words.next() else { return .decline }
      guard word == "invitation" else { throw unknown(word, of: first, ["invitation"]) }
      return .answerInvitation(.declined, byToken: try readToken(&words))
    case "dismiss":
      guard let word = words.next() else { return .dismissMessage }
      guard word == "notification" else { throw unknown(word, of: first, ["notification"]) }
      return .dismissNotification
    default: return nil
    }
  }

  /// Reads what happens to the app.
  static func readApp(_ words: inout Words) throws(PhraseError) -> Verb {
    switch try words.choice("visible, hidden, started or ended", AppState.self) {
    case .visible: .setVisible(true)
    case .hidden: .setVisible(false)
    case .started: .setRunning(true)
    case .ended: .setRunning(false)
    }
  }

  /// Reads a part of the session, or a topic such as `group/demo`.
  private static func readSubject(_ words: inout Words) throws(PhraseError) -> Subject {
    let word = try words.next("state, queue or a topic")
    if let part = SessionPart(rawValue: word) { return .part(part) }
    guard word.contains("/") else {
      let parts = SessionPart.allCases.map(\.rawValue)
      throw PhraseError(
        "`\(word)` is neither a part of a session nor a topic",
        "\(suggestion(for: word, parts)), or write a topic such as `group/demo`")
    }
    return .topic(TopicID(word))
  }

  private static func readInvitation(_ words: inout Words) throws(PhraseError) -> Verb {
    var people = [try words.next("a person")]
    while let word = words.next() {
      guard word != "for" else {
        return .invite(people, lifetime: try words.duration("a length of time"))
      }
      people.append(word)
    }
    return .invite(people, lifetime: nil)
  }

  private static func readToken(_ words: inout Words) throws(PhraseError) -> Bool {
    guard words.take("by") else { return false }
    try words.expect("token", of: "by")
    return true
  }

  private enum AppState: String, CaseIterable { case visible, hidden, started, ended }

  /// The people that the verb names; they may have several devices, or none.
  var people: [String] {
    switch self {
    case .invite(let people, _), .revokeInvitations(let people): people
    case .push(let person, _): [person]
    default: []
    }
  }
}
