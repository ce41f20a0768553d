import ArticleReading
import InAppMessaging
import Naming
import Testing
import Vocabulary

/// What the article says of the device's side is so.
@Suite struct PresenterArticleTests {
  private let article: Article

  init() throws { article = try Article("InAppMessaging") }

  /// What becomes of a message that everything stands in the way of, but for what is taken away.
  private func fate(lifting lifted: Int) -> String {
    func stands(_ place: Int) -> Bool { place >= lifted }
    var settings = PresenterSettings()
    settings.quietScreens = ["game"]
    var platform = PlatformState(
      hasPushPermission: stands(8), screen: stands(6) ? "game" : nil)
    platform.hasDisplay = !stands(4)
    if stands(10) { platform.orientation = .landscape }
    var rehearsal = Rehearsal(settings, platform: platform)
    if stands(5) { rehearsal.feed(.acquireLease(LeaseTag(1))) }
    if stands(3) { rehearsal.feed(.suppress(.discard)) }
    if stands(2) {
      rehearsal.feed(.session(.joined("s1", nil)))
      rehearsal.feed(.session(.ended("s1")))
    }
    rehearsal.choice = { _ in stands(9) ? .discard : .now }
    rehearsal.assets = [stands(11) ? .failed : .loaded]
    rehearsal.prepare = { if stands(12) { $0.message.body = .text(.init("")) } }
    _ = rehearsal.take()
    let offered = message("m", kind: .modalImage, user: stands(0) ? "u2" : "u1") {
      if stands(7) { $0.body = .image(.init(url: "http://example.com/a.png"), landscape: nil) }
      $0.clickAction = .requestPushPermission
      $0.orientation = .portrait
      $0.session = stands(2) ? "s1" : nil
    }
    rehearsal.feed(.deliver(offered, timeToLive: stands(1) ? .seconds(-1) : nil))
    if rehearsal.presenter.visibleMessage?.id == "m" { return "shown" }
    for refusal in InAppMessage.Refusal.allCases
    where rehearsal.lines.contains(
      "report m refused(InAppMessaging.InAppMessage.Refusal.\(refusal))")
    {
      return refusal.rawValue
    }
    return "it waits"
  }

  // Proves
  @Test func `a message goes past what the article lists, in its order`() {
    let rows = article.table("Asked", "If not")
    #expect(rows.count == 13)
    for (place, row) in rows.enumerated() {
      let fate = fate(lifting: place)
      #expect(row[1].contains(fate == "it waits" ? fate : "`\(fate)`"), "row \(place + 1): \(fate)")
    }
    #expect(fate(lifting: rows.count) == "shown")
  }

  // Proves: B38, R-25, R-27
  @Test func `what is heard is heard in the article's order`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .modalImage)))
    rehearsal.view(.closed(.button))
    #expect(
      rehearsal.outputs.map(\.words) == article.fence(behind: "### The order of what is heard"))
  }

  @Test func `a delivery's stages lead where the article says`() {
    let rows = article.table("Stage", "Goes to")
    var told: [MessageStage: Set<MessageStage>] = [:]
    for row in rows {
      guard let stage = row[0].code.first.flatMap(MessageStage.init) else { continue }
      told[stage] = Set(row[1].code.compactMap(MessageStage.init))
    }
    #expect(rows.count == told.count)
    #expect(told == MessageStage.next)
  }
}

extension MessagePresenter.Output {
  /// What it is, in the article's words.
  fileprivate var words: String {
    switch self {
    case .ask(.displayChoice, _): "ask displayChoice"
    case .ask(.loadAssets, _): "ask loadAssets"
    case .ask(.prepare, _): "ask prepare"
    case .ask(.shouldProcess, _): "ask shouldProcess"
    case .view(.show, _): "view show"
    case .view(.update, _): "view update"
    case .view(.pause, _): "view pause"
    case .view(.dismiss, _): "view dismiss"
    case .view(.releaseAssets, _): "view releaseAssets"
    case .tell(let event): "tell \(Self.name(event))"
    case .report(_, let report): "report \(Self.name(report))"
    case .statusBar, .hold, .perform, .session, .answer, .lease, .warn: "\(self)"
    }
  }

  /// A case's name, without what comes with it.
  private static func name(_ value: some Any) -> String {
    String("\(value)".prefix { $0 != "(" })
  }
}
