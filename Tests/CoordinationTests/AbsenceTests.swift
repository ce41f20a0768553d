import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Whoever was away longest makes room for somebody new, and nobody else.
@Suite struct AbsenceTests {
  private static let day = Duration.seconds(86_400)

  /// A server that knows two people at most, of which one came a day before the other.
  private func stage(_ prepare: (inout Stage) throws -> Void = { _ in }) throws -> Stage {
    var limits = Limits()
    limits.users = 2
    var stage = try Stage.campaigning([.sample("m")], limits: limits)
    try stage.open("phone", as: "ann")
    try stage.log("phone", "go", 1)
    try prepare(&stage)
    stage.disconnect("phone")
    stage.advance(Self.day)
    try stage.open("tv", as: "bob")
    try stage.log("tv", "go", 1)
    stage.disconnect("tv")
    return stage
  }

  private func known(_ stage: Stage) -> Set<UserID> {
    Set(stage.coordinator.people.users.rooms.keys)
  }

  /// Somebody new comes and logs something, or is refused.
  private func come(_ user: UserID, to stage: inout Stage) throws -> ErrorCode? {
    let device = DeviceID("device-\(user)")
    stage.disconnect(device)
    stage.connect(as: device, user: user)
    let id = stage.post(
      .messaging(.appState(AppState(isVisible: true, epoch: 1))), from: device)
    if case .failure(let error)? = stage[device].answers[id]?.first { return error.code }
    try stage.log(device, "came", 1)
    return nil
  }

  @Test func `whoever was away longest is forgotten, in the journal too, and may come back`() throws
  {
    var stage = try stage()
    stage.advance(Limits().userAbsence)
    #expect(try come("eve", to: &stage) == nil)
    #expect(known(stage) == ["bob", "eve"])
    #expect(stage.kept("ann").isEmpty && !stage.kept("bob").isEmpty)
    stage.crash()
    #expect(known(stage) == ["bob", "eve"])
    try stage.open("phone", as: "ann")
    #expect(known(stage) == ["ann", "eve"])
  }

  @Test func `nobody is forgotten who was here lately, and later there is room`() throws {
    var stage = try stage()
    stage.advance(Limits().userAbsence - Self.day - .seconds(1))
    #expect(try come("eve", to: &stage) == .usersFull)
    #expect(known(stage) == ["ann", "bob"])
    stage.advance(.seconds(1))
    // Everybody was just looked at.
    #expect(try come("eve", to: &stage) == .usersFull)
    stage.advance(Absentees.pause)
    #expect(try come("eve", to: &stage) == nil)
    #expect(known(stage) == ["bob", "eve"])
    #expect(try come("joe", to: &stage) == .usersFull)
  }

  @Test func `who is here, or came back since everybody was looked at, stays`() throws {
    var stage = try stage()
    stage.advance(Limits().userAbsence)
    try stage.open("phone", as: "ann")
    #expect(try come("eve", to: &stage) == nil)
    #expect(known(stage) == ["ann", "eve"])
    // A look finds two; the one who is not forgotten comes and goes.
    stage.disconnect("phone")
    stage.disconnect("device-eve")
    stage.advance(Limits().userAbsence * 2)
    #expect(try come("bob", to: &stage) == nil)
    let second = try #require(known(stage).subtracting(["bob"]).first)
    try stage.open("car", as: second)
    try stage.log("car", "go", 1)
    stage.disconnect("car")
    #expect(try come("joe", to: &stage) == .usersFull)
    #expect(known(stage).contains(second))
  }

  @Test(arguments: [MessagingRequest.setCollection(false), .pause(true)])
  func `who wants to be left alone is not forgotten`(_ choice: MessagingRequest) throws {
    var stage = try stage { try $0.tell("phone", choice) }
    stage.advance(Limits().userAbsence * 2)
    #expect(try come("eve", to: &stage) == nil)
    #expect(known(stage) == ["ann", "eve"])
  }

  @Test func `of whom nothing tells when they were here goes first`() throws {
    var limits = Limits()
    limits.users = 2
    var stage = try Stage.campaigning([.sample("m")], limits: limits)
    stage.connect(as: "desk", user: "ann")
    try stage.tell("desk", .setAttributes(["keen": .bool(true)]))
    #expect(try come("bob", to: &stage) == nil)
    stage.disconnect("device-bob")
    #expect(stage.messaging("ann")?.lastActive == nil)
    #expect(try come("eve", to: &stage) == nil)
    #expect(known(stage) == ["bob", "eve"])
  }

  @Test func `of many the ones away longest are kept, in order`() {
    var absentees = Absentees()
    #expect(absentees.isScanDue(at: .start))
    for number in (0..<3 * Absentees.limit).reversed() {
      absentees.add(
        Absentee(since: .start + .seconds(number / 2), user: UserID("u\(number % 2)")))
    }
    absentees.endScan(at: .start)
    #expect(absentees.isScanDue(at: .start))
    for number in 0..<Absentees.limit {
      #expect(
        absentees.popFirst()
          == Absentee(since: .start + .seconds(number / 2), user: UserID("u\(number % 2)")))
    }
    #expect(absentees.popFirst() == nil)
    absentees.endScan(at: .start)
    #expect(!absentees.isScanDue(at: .start + .milliseconds(59_999)))
    #expect(absentees.isScanDue(at: .start + .seconds(60)))
    #expect(absentees.isScanDue(at: .start + Absentees.pause))
  }
}
