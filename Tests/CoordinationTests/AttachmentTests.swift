import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// What participants give to a session, and who gets it.
@Suite struct AttachmentTests {
  private var stage: Stage
  private let id: SessionID
  private let note = JSONText(validated: #"{"name":"photo"}"#)

  init() throws {
    (stage, id) = try Stage.watching(["ann", "bob"])
  }

  private func parts(of data: [UInt8]) -> [AttachmentPart] {
    stride(from: 0, to: data.count, by: AttachmentPart.mostBytes).map {
      AttachmentPart(Array(data[$0..<min($0 + AttachmentPart.mostBytes, data.count)]))
    }
  }

  private mutating func begin(_ bytes: Int, by device: DeviceID = "ann") throws -> AttachmentID {
    let answer = try stage.ask(device, .attachment(nil, .begin(bytes: bytes, metadata: note)))
    guard case .attachmentBegun(let attachment) = answer else { throw ProtocolError(.busy) }
    return attachment
  }

  private mutating func add(_ data: [UInt8], by device: DeviceID = "ann") throws -> AttachmentID {
    let attachment = try begin(data.count, by: device)
    for (number, part) in parts(of: data).enumerated() {
      try stage.ask(device, .attachment(nil, .add(attachment, part: number, part)))
    }
    return attachment
  }

  private mutating func load(_ attachment: AttachmentID, by device: DeviceID) throws -> [UInt8] {
    let count = stage.session(id)?.attachments[attachment]?.partCount ?? 1
    return try (0..<count).flatMap { number -> [UInt8] in
      let answer = try stage.ask(device, .attachment(nil, .load(attachment, part: number)))
      guard case .attachmentPart(let part) = answer else { throw ProtocolError(.busy) }
      return part.bytes
    }
  }

  private func data(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

  /// The bytes that the server holds, and those of its journal's live streams.
  private var held: (memory: Int, streams: Int) {
    let streams = stage.journal.live.keys.count {
      if case .attachment = $0 { true } else { false }
    }
    return (stage.coordinator.groups.attachments.byteCount, streams)
  }

  @Test(arguments: [1, 49_151, 49_152, 49_153, 120_000])
  mutating func `whoever is there and whoever joins later loads what was given`(count: Int) throws {
    let data = data(count)
    let attachment = try add(data)
    #expect(
      stage.events("bob").last
        == .attachmentAdded(
          SessionAttachment(
            id: attachment, by: try #require(stage["ann"].participant), byteCount: count,
            metadata: note)))
    #expect(try load(attachment, by: "bob") == data)
    try stage.ask("ann", .leave(nil))
    try stage.gather(["cat"])
    try stage.join("cat", id)
    #expect(stage["cat"].mirror?.attachments.list.map(\.id) == [attachment])
    #expect(try load(attachment, by: "cat") == data)
    stage.checkMirrors()
  }

  @Test mutating func `a session lists nothing before the last part, and nobody loads it`() throws {
    let attachment = try begin(50_000)
    let parts = parts(of: data(50_000))
    try stage.ask("ann", .attachment(nil, .add(attachment, part: 0, parts[0])))
    #expect(stage.session(id)?.attachments.list == [])
    let load = Request.attachment(nil, .load(attachment, part: 0))
    #expect(try stage.refusal("bob", load).code == .unknownAttachment)
    // A part that is sent again after a reconnection counts once.
    try stage.ask("ann", .attachment(nil, .add(attachment, part: 0, parts[0])))
    try stage.ask("ann", .attachment(nil, .add(attachment, part: 1, parts[1])))
    #expect(try self.load(attachment, by: "bob") == data(50_000))
    let beyond = Request.attachment(nil, .load(attachment, part: 2))
    #expect(try stage.refusal("bob", beyond).field == "part")
  }

  @Test mutating func `nonsense is refused and changes nothing`() throws {
    let attachment = try begin(50_000)
    let part = parts(of: data(50_000))[0]
    let wrong: [(AttachmentRequest, DeviceID, String?)] = [
      (.begin(bytes: 0, metadata: note), "ann", "bytes"),
      (.begin(bytes: 1_048_577, metadata: note), "ann", "bytes"),
      (.add(attachment, part: 1, AttachmentPart(data(848))), "ann", "part"),
      (.add(attachment, part: 0, AttachmentPart(data(9))), "ann", "data"),
      (.add(attachment, part: 0, part), "bob", nil), (.add("a-1", part: 0, part), "ann", nil),
      (.remove(attachment), "ann", nil), (.load("a-1", part: 0), "ann", nil),
    ]
    for (request, device, field) in wrong {
      let refusal = try stage.refusal(device, .attachment(nil, request))
      #expect(refusal.code == (field == nil ? .unknownAttachment : .invalidField), "\(request)")
      #expect(refusal.field == field)
    }
    try stage.ask("ann", .attachment(nil, .add(attachment, part: 0, part)))
    #expect(stage.session(id)?.attachments.list == [])
  }

  @Test mutating func `who may send messages adds, and who may edit the queue removes`() throws {
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .setControl(nil, .hostsOnly))
    let (anns, bobs) = (try add([1]), try add([2], by: "bob"))
    #expect(try stage.refusal("bob", .attachment(nil, .remove(anns))).code == .forbidden)
    try stage.ask("bob", .attachment(nil, .remove(bobs)))
    let again = try add([3], by: "bob")
    try stage.ask("ann", .attachment(nil, .remove(again)))
    #expect(stage.session(id)?.attachments.list.map(\.id) == [anns])
    #expect(held == (1, 1))
    try stage.ask("ann", .setRole(nil, bob, .listener))
    let begin = Request.attachment(nil, .begin(bytes: 1, metadata: note))
    #expect(try stage.refusal("bob", begin).reason == Permission.sendMessages.rawValue)
    #expect(try load(anns, by: "bob") == [1])
  }

  @Test mutating func `a session and the server have room for so many and so much`() throws {
    var limits = Limits()
    limits.attachments = 2
    limits.sessionAttachmentBytes = 100
    limits.allAttachmentBytes = 120
    stage = Stage(limits: limits)
    for group in ["g", "h"] {
      let host = DeviceID(group)
      try stage.gather([host, DeviceID(group + "2")], in: GroupID(group))
      try stage.join(host, try stage.activate(host))
    }
    func refusal(_ bytes: Int, _ device: DeviceID, _ stage: inout Stage) throws -> [Int?] {
      let request = Request.attachment(nil, .begin(bytes: bytes, metadata: note))
      let error = try stage.refusal(device, request)
      #expect(error.code == .attachmentsFull)
      return [error.limit, error.reason == "server" ? 1 : 0]
    }
    let first = try begin(90, by: "g")
    #expect(try refusal(11, "g", &stage) == [100, 0])
    _ = try begin(10, by: "g")
    #expect(try refusal(1, "g", &stage) == [2, 0])
    let second = try begin(61, by: "h")
    // What has not arrived keeps nobody else out.
    let parts = [(first, 90, DeviceID("g")), (second, 61, "h")].map { id, count, device in
      (Request.attachment(nil, .add(id, part: 0, AttachmentPart(data(count)))), device)
    }
    try stage.ask("g", parts[0].0)
    #expect(try stage.refusal("h", parts[1].0).reason == "server")
    #expect(try refusal(39, "h", &stage) == [120, 1])
    stage.advance(limits.attachmentWait)
    // What was given up leaves its room to others.
    #expect(held == (90, 1))
    #expect(try stage.refusal("h", parts[1].0).code == .unknownAttachment)
    _ = try begin(10, by: "g")
    _ = try begin(30, by: "h")
  }

  @Test mutating func `who gives something pays for everybody's being told of it`() throws {
    var limits = Limits()
    // Once for twenty people.
    limits.groupCostBurst = 150_000
    limits.groupCostPerSecond = 1
    stage = try Stage.watching((1...20).map { DeviceID("d\($0)") }, limits: limits).0
    _ = try begin(5, by: "d1")
    let begin = Request.attachment(nil, .begin(bytes: 5, metadata: note))
    let refusal = try stage.refusal("d2", begin)
    #expect(refusal.code == .rateLimited && refusal.reason == "group")
  }

  @Test mutating func `the data goes with its session, and what is listed waits for nobody`() throws
  {
    _ = try add(data(60_000))
    _ = try begin(5)
    stage.advance(Limits().attachmentWait + .seconds(1))
    #expect(held == (60_000, 1))
    let half = try begin(50_000)
    try stage.ask("ann", .attachment(nil, .add(half, part: 0, parts(of: data(50_000))[0])))
    #expect(held == (109_152, 2))
    try stage.ask("ann", .end(nil))
    #expect(held == (0, 0))
    stage.advance(.seconds(3_600))
  }

  @Test mutating func `everything is there after a crash, and what was half there goes on`() throws
  {
    let listed = try add(data(60_000))
    let half = try begin(50_000)
    let parts = parts(of: data(50_000))
    try stage.ask("ann", .attachment(nil, .add(half, part: 0, parts[0])))
    let removed = try add([1])
    try stage.ask("ann", .attachment(nil, .remove(removed)))
    stage.crash()
    stage.resume("ann")
    stage.resume("bob")
    #expect(try load(listed, by: "bob") == data(60_000))
    try stage.ask("ann", .attachment(nil, .add(half, part: 1, parts[1])))
    #expect(try load(half, by: "bob") == data(50_000))
    #expect(stage.session(id)?.attachments.list.map(\.id) == [listed, half])
    #expect(held == (110_000, 2))
  }

  @Test mutating func `a crash between the last part and the list loses nothing`() throws {
    let attachment = try begin(5)
    let add = Request.attachment(nil, .add(attachment, part: 0, AttachmentPart(data(5))))
    stage.isHeld = true
    let request = stage.post(add, from: "ann")
    stage.release(1)
    #expect(stage["ann"].answers[request] == nil && stage.session(id)?.attachments.list == [])
    stage.isHeld = false
    stage.crash()
    stage.resume("ann")
    stage.resume("bob")
    stage.say(.request(request, add), from: "ann")
    #expect(stage["ann"].answers[request]?.count == 1)
    #expect(try load(attachment, by: "bob") == data(5))
  }

  @Test mutating func `while the journal cannot be written nothing is taken`() throws {
    stage.journal.failures = 1
    let begin = Request.attachment(nil, .begin(bytes: 5, metadata: note))
    #expect(try stage.refusal("ann", begin).code == .journalUnavailable)
    #expect(held == (0, 0))
    let attachment = try self.begin(5)
    let add = Request.attachment(nil, .add(attachment, part: 0, AttachmentPart(data(5))))
    stage.journal.failures = 1
    #expect(try stage.refusal("ann", add).code == .journalUnavailable)
    stage.advance(Limits().journalRetry)
    try stage.ask("ann", add)
    #expect(try load(attachment, by: "bob") == data(5))
  }

  @Test(arguments: [true, false])
  mutating func `what was removed does not come back, though its data could not be`(crashes: Bool)
    throws
  {
    let attachment = try add([1])
    stage.isHeld = true
    stage.post(.attachment(nil, .remove(attachment)), from: "ann")
    stage.release(1)
    stage.isHeld = false
    if crashes {
      stage.crash()
      stage.resume("bob")
    } else {
      stage.journal.failures = 1
      stage.release()
    }
    #expect(held == (1, 1))
    stage.advance(Limits().attachmentWait + .seconds(1))
    #expect(held == (0, 0))
    #expect(stage.session(id)?.attachments.list == [])
  }
}
