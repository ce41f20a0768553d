import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A person who is wiped leaves nothing behind.
@Suite struct WipingTests {
  /// A person with a phone of whom this and that is known.
  private func known() throws -> Stage {
    var stage = try Stage.campaigning([
      .sample("m") { $0.caps = [FrequencyCap(1, per: .ever)] }, .sample("n", on: "n"),
    ])
    try stage.open("phone", epoch: 3)
    try stage.tell("phone", .setAttributes(["plan": .string("paid")]))
    try stage.log("phone", "go", 1)
    try stage.watch("phone")
    return stage
  }

  private var stream: AggregateID { .user("ann") }

  // Proves: R-31
  @Test func `nothing of a wiped person is kept, and once gone nobody knows them`() throws {
    var stage = try known()
    try stage.log("phone", "n", 2)
    let message = try #require(stage.deliveries("phone").last?.id)
    try stage.tell("phone", .wipe)
    #expect(stage.journal.live[stream] == nil)
    #expect(stage.messaging() == UserMessaging("ann"))
    #expect(stage.revocations("phone").map(\.id) == [message])
    stage.disconnect("phone")
    #expect(stage.coordinator.people.users.rooms.isEmpty)
    stage.crash()
    #expect(stage.coordinator.people.users.rooms.isEmpty)
  }

  @Test func `what comes next begins a stream anew, with the device's run before it`() throws {
    var stage = try known()
    let old = try #require(stage.deliveries("phone").last?.id)
    try stage.tell("phone", .wipe)
    stage.forget()
    stage.advance(.seconds(1))
    try stage.log("phone", "go", 2)
    #expect(
      stage.kept().prefix(2) == [
        .connected("phone", epoch: 3), .logged(EventIdentity(.client("phone"), 2)),
      ])
    #expect(stage.messaging()?.seq == stage.kept().count)
    // The cap counts anew, the numbers too, and yet it is another message.
    let new = try #require(stage.deliveries("phone").last?.id)
    #expect(new != old)
    #expect(stage.messaging()?.nextNumber == 2)
    // The same run of the client goes on with it.
    try stage.report("phone", new, .waiting)
    stage.disconnect("phone")
    try stage.open("phone", epoch: 3)
    #expect(stage.messaging()?.deliveries.map(\.id) == [new])
    try stage.log("phone", "go", 2)
    #expect(stage.messaging()?.lastSeen == stage.now && stage.messaging()?.deliveries.count == 1)
  }

  @Test func `what is asked behind a wipe that is being kept is of the new stream`() throws {
    var stage = try known()
    stage.isHeld = true
    stage.post(.messaging(.setAttributes(["a": .number(1)])), from: "phone")
    stage.post(.messaging(.wipe), from: "phone")
    stage.post(.messaging(.setAttributes(["b": .number(2)])), from: "phone")
    stage.isHeld = false
    stage.release()
    #expect(
      stage.kept() == [.connected("phone", epoch: 3), .attributeSet("b", .number(2))])
    #expect(stage.messaging()?.attributes == ["b": .number(2)])
  }

  @Test func `who wipes again, or was never known, has nothing written`() throws {
    var stage = try known()
    try stage.tell("phone", .wipe)
    let appends = stage.journal.everything.count { !$0.events.isEmpty && $0.aggregate == stream }
    try stage.tell("phone", .wipe)
    try stage.tell("phone", .appState(AppState(isVisible: false, epoch: 3)))
    stage.connect(as: "tv", user: "bob")
    try stage.tell("tv", .wipe)
    #expect(
      stage.journal.live[stream].map { $0.map(\.event) } == [
        .user(.connected("phone", epoch: 3)), .user(.seen),
      ])
    #expect(
      stage.journal.everything.count { !$0.events.isEmpty && $0.aggregate == stream }
        == appends + 1)
    #expect(stage.journal.live[.user("bob")] == nil)
  }

  @Test func `a wipe that is asked again is answered, and what came since stays`() throws {
    var stage = try known()
    let request = stage.post(.messaging(.wipe), from: "phone")
    try stage.tell("phone", .setAttributes(["b": .number(2)]))
    stage.say(.request(request, .messaging(.wipe)), from: "phone")
    #expect(stage["phone"].answers[request]?.count == 2)
    #expect(stage.messaging()?.attributes.count == 1)
  }

  // MARK: What the person chose

  @Test func `that nothing is to be collected is the one thing that stays`() throws {
    var stage = try known()
    try stage.tell("phone", .setCollection(false))
    try stage.tell("phone", .pause(true))
    try stage.tell("phone", .wipe)
    #expect(stage.kept() == [.collectionSet(false), .pausedSet(true)])
    try stage.log("phone", "go", 9)
    #expect(stage.kept().count == 2)
    stage.crash()
    #expect(stage.messaging()?.collects == false && stage.messaging()?.isPaused == true)
    try stage.open("phone")
    try stage.tell("phone", .pause(false))
    try stage.tell("phone", .setCollection(true))
    #expect(stage.messaging()?.collects == true)
  }

  @Test func `a choice that could not be kept anew is made good`() throws {
    var stage = try known()
    try stage.tell("phone", .setCollection(false))
    stage.isHeld = true
    stage.post(.messaging(.wipe), from: "phone")
    stage.release(1)
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    #expect(stage.kept().isEmpty)
    stage.advance(Limits().journalRetry)
    #expect(stage.kept() == [.collectionSet(false)])
  }

  @Test func `a person of whom nothing is known any more leaves nothing either`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    stage.connect(as: "phone", user: "ann")
    try stage.tell("phone", .setCollection(false))
    #expect(stage.kept() == [.collectionSet(false)])
    try stage.tell("phone", .setCollection(true))
    #expect(stage.journal.live[stream] == nil && stage.coordinator.people.users.rooms.isEmpty)
  }

  // MARK: Crashes and other servers

  @Test(arguments: [true, false])
  func `a wipe that was kept is completed by the next server`(collects: Bool) throws {
    var stage = try known()
    if !collects { try stage.tell("phone", .setCollection(false)) }
    stage.isHeld = true
    stage.post(.messaging(.wipe), from: "phone")
    stage.release(1)  // That it is wiped is kept, and that its stream is over is not.
    #expect(stage.kept().last == .wiped)
    stage.isHeld = false
    stage.crash()
    #expect(stage.kept() == (collects ? [] : [.collectionSet(false)]))
    #expect(stage.messaging() == (collects ? nil : stage.messaging()))
    #expect(stage.messaging()?.attributes.isEmpty != false)
  }

  @Test func `another server learns of a wipe, and goes on in the new stream`() throws {
    var one = try known()
    var two = one  // The same person's connection on another node, over the same journal.
    try one.tell("phone", .wipe)
    try two.tell("phone", .setAttributes(["b": .number(2)]))
    #expect(two.losses == 1)
    #expect(two.messaging()?.attributes == ["b": .number(2)])
    #expect(two.messaging()?.history.isEmpty == true)
    try one.tell("phone", .setAttributes(["c": .number(3)]))
    #expect(one.messaging()?.attributes == ["b": .number(2), "c": .number(3)])
    // One that still thinks of the old, longer stream.
    var three = try known()
    var four = three
    try three.tell("phone", .wipe)
    try three.tell("phone", .setAttributes(["d": .number(4)]))
    try four.tell("phone", .setAttributes(["e": .number(5)]))
    #expect(four.messaging()?.attributes == ["d": .number(4), "e": .number(5)])
  }
}
