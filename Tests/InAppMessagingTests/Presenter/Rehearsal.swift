import InAppMessaging
import Naming
import Vocabulary

/// Drives a presenter as an app's library would, in virtual time, and writes down what happens.
struct Rehearsal {
  var presenter: MessagePresenter
  var time = HostTime(microseconds: 1_000_000)
  /// What the app answers when asked about a message; `nil` is nothing.
  var choice: (InAppMessage) -> DisplayChoice? = { _ in .now }
  var assets: [MessagePresenter.AssetReport] = [.loaded]
  /// What the app does to a context; `nil` is that it never comes back.
  var prepare: ((inout PresentationContext) -> Void)? = { _ in }
  var processes: Bool? = true
  /// Whether the view says when it is there, and when it is gone.
  var viewShows = true
  var viewGoes = true
  /// All outputs so far, as one line each.
  var lines: [String] = []
  var outputs: [MessagePresenter.Output] = []
  /// The token of what was asked or shown last, by message.
  var tokens: [MessageID: PresentationToken] = [:]

  init(
    _ settings: PresenterSettings = PresenterSettings(), user: UserID? = "u1",
    platform: PlatformState = PlatformState()
  ) {
    presenter = MessagePresenter(settings, user: user, platform: platform)
  }

  /// Feeds an input, and the app's and the view's answers to what comes of it.
  mutating func feed(_ input: MessagePresenter.Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      let next = presenter.handle(inputs.removeFirst(), at: time)
      outputs += next
      for output in next {
        lines.append(line(for: output))
        inputs += answers(to: output)
      }
    }
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(_ duration: Duration) {
    let end = time + duration
    while let due = presenter.nextDeadline, due <= end {
      time = max(time, due)
      feed(.clockAdvanced)
    }
    time = end
  }

  mutating func view(_ event: MessageViewEvent) {
    if let token = presenter.currentToken { feed(.view(event, token)) }
  }

  mutating func report(_ report: MessagePresenter.DisplayReport) {
    if let token = presenter.currentToken { feed(.reported(report, token)) }
  }

  mutating func change(_ change: (inout PlatformState) -> Void) {
    var platform = presenter.platform
    change(&platform)
    feed(.platform(platform))
  }

  /// The lines that begin so, and none from before the last time.
  mutating func take(_ prefixes: String...) -> [String] {
    defer { lines = [] }
    return prefixes.isEmpty
      ? lines : lines.filter { line in prefixes.contains(where: line.hasPrefix) }
  }

  func count(_ prefix: String) -> Int { lines.count { $0.hasPrefix(prefix) } }

  private mutating func answers(
    to output: MessagePresenter.Output
  ) -> [MessagePresenter.Input] {
    switch output {
    case .ask(.displayChoice(let message, _), let token):
      tokens[message.id] = token
      return choice(message).map { [.chose($0, token)] } ?? []
    case .ask(.loadAssets, let token): return assets.map { .assets($0, token) }
    case .ask(.prepare(var context), let token):
      guard let prepare else { return [] }
      prepare(&context)
      return [.prepared(context, token)]
    case .ask(.shouldProcess(_, _, _, _, let click), let token):
      return processes.map { [.decided(process: $0, click: click, token)] } ?? []
    case .view(.show, let token): return viewShows ? [.view(.presented, token)] : []
    case .view(.dismiss, let token): return viewGoes ? [.view(.dismissed, token)] : []
    default: return []
    }
  }
}

extension Rehearsal {
  private func line(for output: MessagePresenter.Output) -> String {
    switch output {
    case .ask(let question, _): return line(for: question)
    case .view(let command, _): return line(for: command)
    case .statusBar(let isHidden):
      return "statusBar \(isHidden.map { $0 ? "hidden" : "shown" } ?? "back")"
    case .hold(let orientation): return "hold \(orientation?.rawValue ?? "free")"
    case .tell(let event): return line(for: event)
    case .perform(let action, _): return "perform \(action)"
    case .report(let id, let report): return "report \(id) \(report)"
    case .session(let step, let id): return "session \(id) \(step)"
    case .answer(let tag, let result): return "answer \(tag.number) \(result)"
    case .lease(let tag, let isGranted): return "lease \(tag.number) \(isGranted)"
    case .warn(let warning, let id): return "warn \(id) \(warning)"
    }
  }

  private func line(for question: MessagePresenter.Question) -> String {
    switch question {
    case .displayChoice(let message, let origin): "choice \(message.id) \(origin)"
    case .loadAssets: "load"
    case .prepare(let context): "prepare \(context.message.id)"
    case .shouldProcess(_, let button, let id, _, _):
      "process \(id ?? "body")\(button == nil ? "" : " known")"
    }
  }

  private func line(for command: MessagePresenter.ViewCommand) -> String {
    switch command {
    case .show(let shown): "show \(shown.message.id)"
    case .update(let shown): "update \(shown.message.id)"
    case .pause: "pause"
    case .dismiss(let animated): "dismiss \(animated ? "moving" : "at once")"
    case .releaseAssets: "release"
    }
  }

  private func line(for event: MessagePresenter.LifeCycleEvent) -> String {
    switch event {
    case .willPresent(let message): "willPresent \(message.id)"
    case .impression(let message): "impression \(message.id)"
    case .didPresent(let message): "didPresent \(message.id)"
    case .willUpdate(let message): "willUpdate \(message.id)"
    case .willDismiss(let message, let reason): "willDismiss \(message.id) \(reason)"
    case .didDismiss(let message, let reason): "didDismiss \(message.id) \(reason)"
    case .finished(let id, let outcome): "finished \(id) \(outcome)"
    }
  }
}

/// A message of a campaign; each of its own, unless another is named.
func message(
  _ id: String, kind: InAppMessage.Kind = .modal, campaign: String? = nil, user: UserID = "u1",
  _ change: (inout InAppMessage) -> Void = { _ in }
) -> InAppMessage {
  var message = local(id, kind: kind)
  message.campaign = CampaignReference(
    id: CampaignID(campaign ?? "c" + id), name: "A campaign", variant: "a", user: user)
  change(&message)
  return message
}

/// A message of the app's own.
func local(_ id: String, kind: InAppMessage.Kind = .modal) -> InAppMessage {
  let image = InAppMessage.Image(url: "https://example.com/\(id).png")
  let body: InAppMessage.Body =
    switch kind {
    case .modalImage, .fullImage, .imageOnly: .image(image, landscape: nil)
    case .html: .html(InAppMessage.Page("<p>Hello</p>"))
    case .control: .empty
    default: .text(InAppMessage.Text("Hello"))
    }
  return InAppMessage(id: MessageID(id), kind: kind, body: body)
}

/// A player of a session's video.
func player(_ id: String, session: SessionID = "s1", video: String = "one") -> InAppMessage {
  message(id, kind: .full, campaign: "watch") {
    $0.session = session
    $0.extras = [
      "view_type": .string("video"), "video_url": .string("https://example.com/\(video).mp4"),
      "video_title": .string(video),
    ]
  }
}
