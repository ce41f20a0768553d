import InAppMessaging
import Naming
import Vocabulary

/// What the presenter promises, checked from what it says alone: a second, smaller machine.
struct Ledger {
  enum Stage: String { case waiting, coming, there, going, finished }

  var stages: [MessageID: Stage] = [:]
  var controls: Set<MessageID> = []
  var wasThere: Set<MessageID> = []
  var impressions: [MessageID: Int] = [:]
  var reportedEnds: [MessageID: Int] = [:]
  var left: Set<SessionID> = []
  var asked: Set<Int> = []
  var statusBar: Bool?
  var held: Orientation?
  var loaded: Set<PresentationToken> = []
  var faults: [String] = []
  /// How often the rarer things came to pass: a life in which nothing happens proves nothing.
  var counts: [String: Int] = [:]

  mutating func expect(_ message: InAppMessage) {
    stages[message.id] = .waiting
    if message.kind == .control { controls.insert(message.id) }
  }

  /// Which messages are between `willPresent` and `didDismiss`.
  var onScreen: [MessageID] {
    stages.filter { [.coming, .there, .going].contains($0.value) }.keys.sorted()
  }

  mutating func read(_ output: MessagePresenter.Output) {
    switch output {
    case .ask(.displayChoice(_, let origin), _): counts["\(origin)", default: 0] += 1
    case .ask(.shouldProcess, _): counts["click", default: 0] += 1
    case .tell(let event): read(event)
    case .report(let id, let report): read(report, of: id)
    case .session(.leave, let id):
      counts["leave", default: 0] += 1
      if !left.insert(id).inserted { faults.append("\(id) is left twice") }
    case .answer(let tag, _):
      if asked.remove(tag.number) == nil { faults.append("\(tag.number) is answered twice") }
    case .statusBar(let isHidden): statusBar = isHidden
    case .hold(let orientation): held = orientation
    case .ask(.loadAssets, let token): loaded.insert(token)
    case .view(.releaseAssets, let token): loaded.remove(token)
    default: break
    }
  }

  private mutating func read(_ event: MessagePresenter.LifeCycleEvent) {
    switch event {
    case .willPresent(let message):
      if let other = onScreen.first, !controls.contains(message.id) {
        faults.append("\(message.id) comes over \(other)")
      }
      step(message.id, from: [.waiting], to: .coming)
    case .impression(let message):
      impressions[message.id, default: 0] += 1
      if ![.coming, .there].contains(stages[message.id]) {
        faults.append("\(message.id) is seen while \(stages[message.id]?.rawValue ?? "unknown")")
      }
    case .didPresent(let message):
      step(message.id, from: [.coming], to: .there)
      if !wasThere.insert(message.id).inserted { counts["again", default: 0] += 1 }
    case .willUpdate(let message):
      counts["update", default: 0] += 1
      step(message.id, from: [.there], to: .there)
    case .willDismiss(let message, _): step(message.id, from: [.coming, .there], to: .going)
    case .didDismiss(let message, _): step(message.id, from: [.going], to: .waiting)
    case .finished(let id, let outcome):
      step(id, from: [.waiting], to: .finished)
      if case .refused(let refusal) = outcome { counts["\(refusal)", default: 0] += 1 }
      if case .refused = outcome, wasThere.contains(id), !controls.contains(id) {
        faults.append("\(id) was there and is refused")
      }
      if case .presented = outcome, !wasThere.contains(id) {
        faults.append("\(id) never was there")
      }
    }
  }

  private mutating func read(_ report: MessageReport, of id: MessageID) {
    guard reportedEnds[id] == nil else {
      return faults.append("\(id) is reported after its end: \(report)")
    }
    switch report {
    case .dismissed, .refused: reportedEnds[id] = 1
    default: break
    }
  }

  private mutating func step(_ id: MessageID, from: Set<Stage>, to: Stage) {
    let stage = stages[id] ?? .finished
    if !from.contains(stage) { faults.append("\(id) goes from \(stage) to \(to)") }
    stages[id] = to
  }

  /// What is wrong once everything has ended.
  mutating func close() {
    for (id, stage) in stages.sorted(by: { $0.key < $1.key }) where stage != .finished {
      faults.append("\(id) did not finish: \(stage)")
    }
    for (id, count) in impressions where count > 1 { faults.append("\(id) is seen \(count) times") }
    if !asked.isEmpty { faults.append("unanswered: \(asked)") }
    if statusBar != nil { faults.append("the status bar stays changed") }
    if held != nil { faults.append("the app stays held") }
    if !loaded.isEmpty { faults.append("assets stay") }
  }
}
