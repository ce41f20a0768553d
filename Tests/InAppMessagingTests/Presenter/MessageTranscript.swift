import InAppMessaging
import JSON
import Naming
import Testing
import Vocabulary
import Wire

/// What one presenter heard and decided, a line each, as the file of the cases explains.
struct MessageTranscript {
  private(set) var lines: [String] = []
  private var rehearsal = Rehearsal()

  /// Feeds a line of input, and notes what comes of it.
  mutating func feed(_ line: String) throws {
    let brace = line.firstIndex(of: "{") ?? line.endIndex
    var words = line[..<brace].split(separator: " ").map(String.init)
    let heard = rehearsal.outputs.count
    switch words.removeFirst() {
    case "let": try answer(words)
    case "settings": try words.forEach { try set($0) }
    case "platform": try changePlatform(words)
    case "wait": rehearsal.pass(.microseconds(try #require(Int64(words[0]))))
    case let input: try carry(input, words, String(line[brace...]))
    }
    lines.append(line)
    lines += rehearsal.outputs[heard...].compactMap(\.decision).map { "> \($0)" }
  }

  /// Words that are no input.
  struct NoInput: Error { let words: [String] }

  private mutating func carry(_ input: String, _ words: [String], _ fields: String) throws {
    switch input {
    case "deliver": rehearsal.feed(.deliver(try message(words, fields)))
    case "again": rehearsal.feed(.deliver(try message(words, fields), wasSeen: true))
    case "present":
      var own = try message(words, fields)
      own.campaign = nil
      rehearsal.feed(.present(own))
    case "chose":
      let token = try #require(rehearsal.tokens[MessageID(words[1])])
      rehearsal.feed(.chose(try DisplayChoice(word: words[0]), token))
    case "view": rehearsal.view(try MessageViewEvent(words))
    case "click":
      let isTransient = words == ["staying"]
      let button = isTransient ? nil : words.first
      rehearsal.view(.clicked(button: button, isTransient: isTransient))
    case "close": rehearsal.view(.closed(try CloseGesture(word: words[0])))
    case "report": rehearsal.report(try DisplayReport(words))
    default: rehearsal.feed(try Self.input(input, words))
    }
  }

  private static func input(_ name: String, _ words: [String]) throws -> MessagePresenter.Input {
    switch name {
    case "dismiss": .dismiss(leavesSession: words != ["staying"])
    case "revoke":
      .revoke(
        words.filter { $0 != "forced" }.map { MessageID($0) }, force: words.first == "forced")
    case "presentNext": .presentNext(PresentNextTag(try #require(Int(words[0]))))
    case "user": .userChanged(UserID(words[0]))
    case "wipe": .dataWiped
    case "closePage": .pageClosed
    case "suppress":
      .suppress(try #require(MessageSuppression.allCases.first { "\($0)" == words[0] }))
    case "lease": .acquireLease(LeaseTag(try #require(Int(words[0]))))
    case "release": .releaseLease(LeaseTag(try #require(Int(words[0]))))
    case "joined": .session(.joined(SessionID(words[0]), words.dropFirst().first.map(media)))
    case "media": .session(.media(SessionID(words[0]), media(words[1])))
    case "ended": .session(.ended(SessionID(words[0])))
    default: throw NoInput(words: [name] + words)
    }
  }

  private static func media(_ film: String) -> SessionMedia {
    SessionMedia(url: "https://example.com/\(film).mp4")
  }

  // MARK: Messages

  /// A message by its kind and id, or a player by its id and film; `NAME=VALUE` is its campaign's.
  private func message(_ words: [String], _ fields: String) throws -> InAppMessage {
    if words[0] == "player" { return player(words[1], video: words[2]) }
    let (kind, id) = (words[0], words[1])
    let given = words.dropFirst(2).map { $0.split(separator: "=").map(String.init) }
    let campaign = given.first { $0[0] == "campaign" }?[1] ?? "c\(id)"
    let user = given.first { $0[0] == "user" }?[1] ?? "u1"
    let body =
      switch kind {
      case "modalImage", "fullImage", "imageOnly":
        #""body":{"type":"image","image":{"url":"https://example.com/\#(id).png"}},"#
      case "html": #""body":{"type":"html","source":"<p>Hello</p>"},"#
      case "control": ""
      default: #""body":{"type":"text","message":"Hello"},"#
      }
    let rest = fields.isEmpty ? "}" : ",\(fields.dropFirst())"
    let text = """
      {"message":"\(id)","kind":"\(kind)",\(body)"campaign":{"id":"\(campaign)",\
      "name":"A campaign","variant":"a","user":"\(user)"}\(rest)
      """
    var message: InAppMessage?
    var parser = JSONParser(maximumBytes: text.utf8.count)
    try parser.parse(text.utf8.span) { (object) throws(DecodingFlaw) in
      message = try InAppMessage(decoding: object)
    }
    return try #require(message)
  }

  // MARK: The app, the view and the platform

  private mutating func answer(_ words: [String]) throws {
    let isAnswered = words[1] != "nothing"
    switch words[0] {
    case "choice":
      let choice = isAnswered ? try DisplayChoice(word: words[1]) : nil
      rehearsal.choice = { _ in choice }
    case "process": rehearsal.processes = isAnswered ? words[1] == "yes" : nil
    case "prepare": rehearsal.prepare = nil
    case "assets": rehearsal.assets = isAnswered ? [words[1] == "failed" ? .failed : .loaded] : []
    case "view": (rehearsal.viewShows, rehearsal.viewGoes) = (false, false)
    default: throw NoInput(words: words)
    }
  }

  private mutating func set(_ word: String) throws {
    let (name, value) = word.pair
    switch name {
    case "drainPolicy":
      rehearsal.presenter.settings.drainPolicy = try #require(
        DrainPolicy.allCases.first { "\($0)" == value })
    case "hidesOnTextInput": rehearsal.presenter.settings.hidesOnTextInput = value == "true"
    case "leavesWithMessage": rehearsal.presenter.settings.leavesWithMessage = value == "true"
    case "quietScreens": rehearsal.presenter.settings.quietScreens = [value]
    case "stackLimit": rehearsal.presenter.settings.stackLimit = try #require(Int(value))
    case "questionLimit":
      rehearsal.presenter.settings.questionLimit = try #require(Int(value))
    default: throw NoInput(words: [word])
    }
  }

  private mutating func changePlatform(_ words: [String]) throws {
    var platform = rehearsal.presenter.platform
    for word in words {
      let (name, value) = word.pair
      switch name {
      case "isVisible": platform.isVisible = value == "true"
      case "hasDisplay": platform.hasDisplay = value == "true"
      case "isTextInputFocused": platform.isTextInputFocused = value == "true"
      case "screen": platform.screen = value
      case "width": platform.width = try #require(Double(value))
      case "height": platform.height = try #require(Double(value))
      default: throw NoInput(words: [word])
      }
    }
    platform.orientation = Orientation(width: platform.width, height: platform.height)
    rehearsal.feed(.platform(platform))
  }
}

extension String {
  /// What stands before and behind a `=`.
  fileprivate var pair: (String, String) {
    let parts = split(separator: "=").map(String.init)
    return (parts[0], parts.last ?? "")
  }
}
