import InAppMessaging
import Testing
import Vocabulary

typealias CloseGesture = MessageCloseGesture
typealias DisplayReport = MessagePresenter.DisplayReport

// MARK: Inputs

extension DisplayChoice {
  init(word: String) throws {
    let all: [String: DisplayChoice] = ["now": .now, "reenqueue": .reenqueue, "discard": .discard]
    self = try #require(all[word])
  }
}

extension MessageViewFailure {
  init(word: String) throws {
    self = try #require(Self.allCases.first { "\($0)" == word })
  }
}

extension MessageViewEvent {
  init(_ words: [String]) throws {
    switch words[0] {
    case "presented": self = .presented
    case "dismissed": self = .dismissed
    case "loggedClick": self = .loggedClick(button: words[1])
    case "declined": self = .declined
    case "detached": self = .detached(leavesSession: words.last != "staying")
    case "failed": self = .failed(try MessageViewFailure(word: words[1]))
    default: throw MessageTranscript.NoInput(words: words)
    }
  }
}

extension CloseGesture {
  init(word: String) throws {
    let all: [String: CloseGesture] = [
      "button": .button, "tapOutside": .tapOutside, "escape": .escape, "swipe": .swipe(),
    ]
    self = try #require(all[word])
  }
}

extension DisplayReport {
  init(_ words: [String]) throws {
    switch words[0] {
    case "impression": self = .impression
    case "clicked": self = .clicked(button: words.dropFirst().first)
    case "dismissed":
      self = .dismissed(.init(try #require(InAppMessage.DismissReason.Name(rawValue: words[1]))))
    case "failed": self = .failed(try MessageViewFailure(word: words[1]))
    default: throw MessageTranscript.NoInput(words: words)
    }
  }
}

// MARK: Outputs

extension MessagePresenter.Output {
  /// What it is to the app, the person and the server; `nil` for what only the view carries out.
  var decision: String? {
    switch self {
    case .ask(.displayChoice(let message, let origin), _): "choice \(message.id) \(origin)"
    case .ask(.shouldProcess(_, _, let button, _, _), _): "process \(button ?? "body")"
    case .view(.update(let shown), _): "update \(shown.message.id)"
    case .tell(let event): event.words
    case .perform(let action, _): "perform \("\(action)".prefix { $0 != "(" })"
    case .report(let id, let report): "report \(id) \(report.words)"
    case .session(let step, let id): "session \(id) \(step)"
    case .answer(let tag, let result): "answer \(tag.number) \(result.words)"
    case .lease(let tag, let isGranted): "lease \(tag.number) \(isGranted)"
    case .warn(let warning, let id): "warn \(id) \("\(warning)".prefix { $0 != "(" })"
    case .ask, .view, .statusBar, .hold: nil
    }
  }
}

extension MessagePresenter.LifeCycleEvent {
  fileprivate var words: String {
    switch self {
    case .willPresent(let message): "willPresent \(message.id)"
    case .impression(let message): "impression \(message.id)"
    case .didPresent(let message): "didPresent \(message.id)"
    case .willUpdate(let message): "willUpdate \(message.id)"
    case .willDismiss(let message, let reason): "willDismiss \(message.id) \(reason.name)"
    case .didDismiss(let message, let reason): "didDismiss \(message.id) \(reason.name)"
    case .finished(let id, .presented(let reason)): "finished \(id) presented \(reason.name)"
    case .finished(let id, .refused(let refusal)): "finished \(id) refused \(refusal.rawValue)"
    case .finished(let id, .control): "finished \(id) control"
    }
  }
}

extension MessageReport {
  fileprivate var words: String {
    switch self {
    case .waiting: "waiting"
    case .started: "started"
    case .impression: "impression"
    case .clicked(let button): "clicked \(button ?? "body")"
    case .dismissed(.action(let button?)): "dismissed action \(button)"
    case .dismissed(let reason): "dismissed \(reason.name)"
    case .refused(let refusal): "refused \(refusal.rawValue)"
    }
  }
}

extension PresentNextResult {
  fileprivate var words: String {
    switch self {
    case .presented: "presented"
    case .empty: "empty"
    case .refused(let refusal): refusal.rawValue
    case .reenqueued: "reenqueued"
    }
  }
}
