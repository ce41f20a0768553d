import GroupSessions
import InAppMessaging
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

extension RefusalScene {
  /// The scenes that lead to every refusal there is, by what is the matter with the asker.
  static let all = ofSessions.merging(ofNotifications) { first, _ in first }

  private static let ofSessions: [String: @Sendable () throws -> RefusalScene] = [
    "in no group": {
      var scene = try offered(["ann", "cat"])
      scene.stage.connect(as: "bob")
      return scene
    },
    "in no group, naming what never was": {
      var scene = try offered(["ann", "cat"])
      scene.stage.connect(as: "bob")
      scene.named = "nowhere"
      return scene
    },
    "with a token for no group": {
      var door = try Door()
      door.greet("bob", as: "bob", try Door.token("bob", groups: []))
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "a newcomer at a group with a key": {
      var door = try KeyedDoor()
      try door.found()
      door.greet("bob")
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "over a network that others can read": {
      var door = try KeyedDoor()
      try door.found()
      door.greet("bob", from: KeyedDoor.address(1))
      try door.stage.ask("bob", .joinGroup("g", key: KeyedDoor.key()))
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "removed from a group with a key": {
      var door = try KeyedDoor()
      try door.found()
      try door.enter("bob")
      try door.stage.ask("ann", .removeUser("bob"))
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "the founder of a group that remembers enough people": {
      var door = try KeyedDoor(limits: limits { $0.admittedUsers = 1 })
      try door.found()
      return RefusalScene(stage: door.stage, asker: "ann", offered: "nowhere")
    },
    "another one claimed the name meanwhile": {
      var door = try KeyedDoor()
      try door.found()
      door.greet("eve", as: "bob")
      door.greet("bob")
      try door.stage.ask("eve", .joinGroup("g", key: KeyedDoor.key()))
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "no name is left": {
      var door = try KeyedDoor(limits: limits { $0.names = 1 })
      try door.found()
      door.greet("bob")
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "at a group from before there were keys": {
      var door = try KeyedDoor()
      door.stage = Stage()
      try door.stage.gather(["ann"])
      door.stage.crash(access: .keys(KeyedDoor.keys))
      door.greet("bob")
      return RefusalScene(stage: door.stage, offered: "nowhere")
    },
    "the administrator": {
      var door = try KeyedDoor()
      try door.found()
      door.administer()
      door.stage.handle(
        .servers([.init("10.0.0.1:7879", version: "1", peers: 2, decides: true)]))
      return RefusalScene(stage: door.stage, asker: "admin", offered: "nowhere")
    },
    "the administrator of a server with campaigns": {
      var door = try KeyedDoor()
      try door.found()
      door.administer()
      door.stage.handle(.campaigns(try CampaignSet([.sample("m")])))
      return RefusalScene(stage: door.stage, asker: "admin", offered: "nowhere")
    },
    "in another group": {
      var scene = try offered(["ann", "cat"])
      try scene.stage.gather(["bob"], in: "h")
      return scene
    },
    "no group is left": {
      var scene = RefusalScene(stage: Stage(limits: limits { $0.groups = 1 }), offered: "nowhere")
      try scene.stage.gather(["ann"], in: "h")
      scene.stage.connect(as: "bob")
      return scene
    },
    "the group is full": {
      var scene = try offered(["ann", "cat"], limits { $0.groupMembers = 2 })
      scene.stage.connect(as: "bob")
      return scene
    },
    "alone": {
      var scene = RefusalScene(stage: Stage(), offered: "nowhere")
      try scene.stage.gather(["bob"])
      return scene
    },
    "in the group, not in its session": { try offered(["ann", "bob"]) },
    "no object has room": { try offered(["ann", "bob"], limits { $0.objects = 0 }) },
    "not sharing": {
      var scene = try offered(["ann", "bob"])
      try scene.stage.ask("bob", .setSharing(false))
      return scene
    },
    "the session is staged": {
      var scene = RefusalScene(stage: Stage(), offered: "nowhere")
      try scene.stage.gather(["ann", "bob"])
      guard
        case .activated(let id, _, _) = try scene.stage.ask(
          "ann", .stage(Activation(Stage.movie())))
      else { throw ProtocolError(.busy) }
      scene.offered = id
      return scene
    },
    "the session ended": {
      var scene = try offered(["ann", "bob"])
      try scene.stage.ask("ann", .end(nil))
      scene.named = scene.offered
      return scene
    },
    "the session is full": { try offered(["ann", "bob"], limits { $0.participants = 1 }) },
    "banned": {
      var scene = try watching()
      try scene.remove(isBanned: true)
      return scene
    },
    "a group that the server manages": {
      var scene = try offered(["ann", "bob"])
      scene.stage.coordinator.manageGroups { _ in true }
      return scene
    },
    "a guest where hosts steer": {
      var scene = try watching()
      try scene.stage.ask("ann", .setControl(nil, .hostsOnly))
      return scene
    },
    "in the session, and wrong about everything": {
      var scene = try watching()
      scene.asker = "ann"
      return scene
    },
    "a listener": {
      var scene = try watching()
      let bob = try #require(scene.stage["bob"].participant)
      try scene.stage.ask("ann", .setRole(nil, bob, .listener))
      return scene
    },
    "in the audience": {
      var (stage, id) = try Stage.watching(
        ["ann", "cat"], Activation(Stage.movie(), hasAudience: true),
        limits: limits { $0.namedPlaces = 2 })
      stage.connect(as: "bob", features: [.sessions, .audience])
      try stage.ask("bob", .joinGroup("g"))
      try stage.join("bob", id)
      return RefusalScene(stage: stage, offered: id)
    },
    "no more listeners are remembered": {
      var scene = try watching(limits { $0.rememberedDevices = 0 })
      scene.asker = "ann"
      return scene
    },
    "in the session, asking for another": {
      var scene = try watching()
      scene.offered = "nowhere"
      return scene
    },
    "suspended": {
      var scene = try watching(limits { $0.suspensions = 1 })
      try scene.stage.ask("bob", .playback(nil, .suspend(.stallRecovery)))
      return scene
    },
    "the queue is full": { try watching(limits { $0.queueEntries = 1 }) },
    "there are as many attachments as may be": { try watching(limits { $0.attachments = 0 }) },
    "a listener whose attachment lacks its last part": {
      var scene = try watching()
      scene.attachment = try scene.begin()
      let bob = try #require(scene.stage["bob"].participant)
      try scene.stage.ask("ann", .setRole(nil, bob, .listener))
      return scene
    },
    "the server is full of attachments": {
      var scene = try watching(limits { $0.allAttachmentBytes = 1 })
      scene.attachment = try scene.begin()
      let full = try scene.begin(by: "ann")
      try scene.stage.ask("ann", .attachment(nil, .add(full, part: 0, AttachmentPart([1]))))
      return scene
    },
    "the session takes as many bytes as may be": {
      var scene = try offered(["ann", "bob"], limits { $0.sessionBytes = 1 })
      try scene.stage.join("bob", scene.offered)
      return scene
    },
    "the participants take as many bytes as may be": {
      let bytes = try bytesOfParticipants(in: crowded())
      var scene = try crowded(limits { $0.participantBytes = bytes })
      scene.asker = "ann"
      return scene
    },
    "outside, as the participants take as many bytes as may be": {
      let bytes = try bytesOfParticipants(in: offered(["ann", "bob"]))
      var scene = try offered(["ann", "bob"], limits { $0.participantBytes = bytes })
      try scene.stage.ask("ann", .invite(nil, ["bob"], lifetime: nil))
      return scene
    },
    "there are as many timelines as may be": {
      var scene = try watching(limits { $0.timelines = 2 })
      try scene.stage.ask("bob", .playback(nil, .transition(to: "third")))
      try scene.stage.ask("ann", .queue(nil, .insert([Stage.media("other")], at: .end)))
      try scene.stage.ask("ann", .queue(nil, .setRepeat(.all)))
      scene.asker = "ann"
      return scene
    },
    "outside, as the group closes": {
      var scene = try offered(["ann", "cat"])
      scene.stage.connect(as: "bob")
      scene.meanwhile("ann", .closeGroup())
      return scene
    },
    "outside a group with a key, as it closes": {
      var door = try KeyedDoor()
      try door.found()
      try door.enter("bob")
      try door.stage.ask("bob", .leaveGroup)
      var scene = RefusalScene(stage: door.stage, offered: "nowhere")
      scene.meanwhile("ann", .closeGroup())
      return scene
    },
    "in the group, as it closes": {
      var scene = try offered(["ann", "bob"])
      scene.meanwhile("ann", .closeGroup())
      return scene
    },
    "in the group, as its session ends": {
      var scene = try offered(["ann", "bob"])
      scene.meanwhile("ann", .end(nil))
      return scene
    },
    "in the session, as it ends": {
      var scene = try watching()
      scene.meanwhile("ann", .end(nil))
      return scene
    },
    "in the session, as a host removes the asker": {
      var scene = try watching()
      let participant = scene.stage["bob"].participant ?? "nobody"
      scene.meanwhile("ann", .remove(nil, participant, isBanned: false))
      return scene
    },
    "leaving the group": {
      var scene = try offered(["ann", "bob"])
      scene.meanwhile("bob", .leaveGroup)
      return scene
    },
    "in the session, leaving the group": {
      var scene = try watching()
      scene.meanwhile("bob", .leaveGroup)
      return scene
    },
  ]

  static func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits()
    change(&limits)
    return limits
  }

  /// A group of these; the first one started a session and takes part.
  private static func offered(_ devices: [DeviceID], _ limits: Limits = Limits()) throws
    -> RefusalScene
  {
    var stage = Stage(limits: limits)
    try stage.gather(devices)
    let id = try stage.activate(devices[0])
    let other = try stage.join(devices[0], id)
    return RefusalScene(stage: stage, offered: id, other: other)
  }

  /// Ann and Bob in one session, both with the film current.
  private static func watching(_ limits: Limits = Limits()) throws -> RefusalScene {
    var scene = try offered(["ann", "bob"], limits)
    try scene.stage.join("bob", scene.offered)
    for device in ["ann", "bob"] as [DeviceID] {
      try scene.stage.ask(device, .playback(nil, .transition(to: "film")))
    }
    return scene
  }

  /// Ann and Bob in one session with a queue, both with the film current.
  private static func crowded(_ limits: Limits = Limits()) throws -> RefusalScene {
    var scene = try watching(limits)
    try scene.stage.ask("ann", .queue(nil, .insert([Stage.media("another")], at: .end)))
    try scene.stage.ask("ann", .queue(nil, .setRepeat(.all)))
    return scene
  }

  private static func bytesOfParticipants(in scene: RefusalScene) -> Int {
    scene.stage.session(scene.offered)?.size.participants ?? 0
  }

  private mutating func remove(isBanned: Bool) throws {
    guard let participant = stage["bob"].participant else { return }
    try stage.ask("ann", .remove(nil, participant, isBanned: isBanned))
  }

  /// Somebody asked for something, and the journal has not answered yet.
  private mutating func meanwhile(_ device: DeviceID, _ request: Request) {
    stage.isHeld = true
    stage.post(request, from: device)
  }
}

extension RefusalScene {
  /// Begins an attachment of one byte.
  fileprivate mutating func begin(by device: DeviceID = "bob") throws -> AttachmentID {
    let begin = AttachmentRequest.begin(bytes: 1, metadata: JSONText(validated: "null"))
    guard case .attachmentBegun(let id) = try stage.ask(device, .attachment(nil, begin)) else {
      throw ProtocolError(.busy)
    }
    return id
  }
}
