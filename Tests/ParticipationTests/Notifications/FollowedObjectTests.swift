import Participation
import Testing
import UserNotifications
import Vocabulary
import Wire

/// Objects of the server's that a device keeps up by silent notifications.
@Suite struct FollowedObjectTests {
  private let queue = ServerObject.part(.queue, of: SessionID("s1"))

  /// The object in a version: it counts.
  private func fields(_ version: Int64) -> [String: PayloadValue] {
    ["count": .integer(version), "isEven": .bool(version % 2 == 0)]
  }

  /// What is told of the step to a version.
  private func change(
    to version: Int64, from base: Int64? = nil, hasDelta: Bool = true,
    _ kind: ObjectChange.Kind = .objectUpdated
  ) -> NotificationPayload {
    let change = queue.change(
      kind, group: GroupID("friday"), modified: Instant(microseconds: 0), appID: "matinee")
    var payload = change.payload(at: Instant(microseconds: 0))
    let delta = StateDelta(from: base ?? version - 1, to: version, changes: fields(version))
    if hasDelta { delta?.write(to: &payload) }
    return payload
  }

  private func fetch(_ request: Request) -> Bool {
    request == .notifications(.objectState(queue))
  }

  /// A client that follows the object, which has that version.
  private func desk(_ version: Int64 = 3) -> Desk {
    var desk = Desk()
    desk.ask(.subscribe(.object(queue)))
    desk.answer()
    #expect(desk.open == [.objectState(queue)])
    serve(version, &desk)
    return desk
  }

  /// Answers what is fetched with that version.
  private func serve(_ version: Int64, _ desk: inout Desk) {
    guard let id = desk.take(where: fetch) else { return }
    desk.hear(.objectState(id, queue, version: version, fields(version)))
  }

  private func isKnown(_ version: Int64, _ desk: Desk) -> Bool {
    let mirror = desk.participant.object(queue)
    return mirror?.version == version && mirror?.fields == fields(version)
      && mirror?.needsFetch == false
  }

  private func mirrors(_ desk: inout Desk) -> [Int64?] {
    desk.take().compactMap {
      if case .object(queue, let mirror) = $0 { .some(mirror?.version) } else { nil }
    }
  }

  // Proves: K7
  @Test func `it is fetched once, and kept up by what changes`() {
    var desk = desk()
    #expect(isKnown(3, desk))
    for version in Int64(4)...6 { desk.notify("v\(version)", change(to: version)) }
    #expect(isKnown(6, desk))
    #expect(mirrors(&desk) == [3, 4, 5, 6])
    #expect(!desk.asked.contains { fetch($0.request) })
  }

  // Proves: K7
  @Test(arguments: 0..<64)
  func `whatever is lost on the way, it is right in the end`(lost: Int) {
    var desk = desk()
    for version in Int64(4)...9 where lost >> (version - 4) & 1 == 0 {
      desk.notify("v\(version)", change(to: version))
      // A fetch brings what the server has by then.
      serve(version, &desk)
      #expect(isKnown(version, desk))
    }
    desk.reconnect(isResumed: false)
    desk.answer { $0 == .notifications(.subscribe(.object(queue))) }
    serve(9, &desk)
    #expect(isKnown(9, desk))
  }

  // Proves: K7
  @Test func `a change too large to be told is fetched`() {
    var desk = desk()
    desk.notify("v4", change(to: 4, hasDelta: false))
    #expect(desk.asked.contains { fetch($0.request) })
    serve(4, &desk)
    #expect(isKnown(4, desk))
  }

  @Test func `what is fetched too early is fetched again, and not for ever`() {
    var desk = desk()
    desk.notify("v9", change(to: 9))
    var fetches = 0
    while desk.asked.contains(where: { fetch($0.request) }) {
      fetches += 1
      serve(5, &desk)
    }
    #expect(fetches == 3)
    // The next word of it begins anew.
    desk.notify("v10", change(to: 10))
    serve(10, &desk)
    #expect(isKnown(10, desk))
  }

  @Test func `a fetch outlives a cut`() {
    var desk = desk()
    desk.notify("v9", change(to: 9))
    desk.reconnect()
    serve(9, &desk)
    #expect(isKnown(9, desk))
  }

  @Test func `it ends with its session, or when the app wants it no more`() {
    var desk = desk()
    _ = desk.take()
    desk.notify("end", change(to: 9, hasDelta: false, .bucketDeleted))
    #expect(mirrors(&desk) == [nil])
    #expect(desk.participant.object(queue) == nil)
    desk.reconnect(isResumed: false)
    #expect(desk.open == [.report(NotificationID("end"), .acknowledged(.noData))])

    desk = self.desk()
    _ = desk.take()
    desk.ask(.unsubscribe(.object(queue)))
    #expect(mirrors(&desk) == [nil])
    desk.notify("v4", change(to: 4))
    #expect(mirrors(&desk) == [])
  }

  @Test func `another view that the server has no time for takes it from no other`() {
    var desk = desk()
    _ = desk.take()
    desk.ask(.subscribe(.object(queue)), tag: 2)
    desk.refuse(.busy, retryAfter: .seconds(1))
    #expect(mirrors(&desk) == [])
    desk.notify("v4", change(to: 4))
    #expect(isKnown(4, desk))
  }

  @Test func `a session that is over cannot be followed`() {
    var desk = Desk()
    desk.ask(.subscribe(.object(queue)))
    desk.answer()
    desk.refuse(.sessionEnded) { fetch($0) }
    #expect(mirrors(&desk) == [nil])
  }

  @Test func `the receiver hears of the change after it is known`() {
    var desk = desk()
    desk.center(.handlers([.reception]))
    _ = desk.take()
    desk.notify("v4", change(to: 4))
    let words = desk.take().compactMap { update -> String? in
      switch update {
      case .object: "known"
      case .center(.call(.reception, _)): "told"
      default: nil
      }
    }
    #expect(words == ["known", "told"])
  }

  // Proves: K7, K16
  @Test func `an app's own object ends when it is removed, and with its group`() {
    for kind in [ObjectChange.Kind.objectDeleted, .bucketDeleted] {
      let votes = ServerObject.own(ObjectID("votes"), of: GroupID("friday"))
      var desk = Desk()
      desk.ask(.subscribe(.object(votes)))
      desk.answer()
      guard let id = desk.take(where: { $0 == .notifications(.objectState(votes)) }) else {
        Issue.record("it is not fetched")
        continue
      }
      desk.hear(.objectState(id, votes, version: 3, fields(3)))
      #expect(desk.participant.object(votes)?.fields == fields(3))
      // A session's end is not its own.
      desk.notify("x", change(to: 4, kind))
      #expect(desk.participant.object(votes)?.version == 3)
      let change = votes.change(
        kind, group: GroupID("friday"), modified: Instant(microseconds: 0), appID: "matinee")
      desk.notify("y", change.payload(at: Instant(microseconds: 0)))
      #expect(desk.participant.object(votes) == nil)
    }
  }
}
