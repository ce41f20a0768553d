import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

extension RefusalScene {
  /// The scenes in which invitations and notifications are refused.
  static let ofNotifications: [String: @Sendable () throws -> RefusalScene] = [
    "invited, and wrong about everything else": { try invited() },
    "invited, having declined": {
      var scene = try invited()
      try scene.stage.ask("bob", .answerInvitation(scene.offered, .declined, seq: nil))
      return scene
    },
    "invited, having accepted": {
      var scene = try invited()
      try scene.stage.ask("bob", .answerInvitation(scene.offered, .accepted, seq: nil))
      return scene
    },
    "invited no more": {
      var scene = try invited()
      try scene.stage.ask("ann", .revokeInvitations(nil, ["bob"]))
      return scene
    },
    "invited to a session that is full": {
      try invited(limits { $0.participants = 1 })
    },
    "invited to a session that ended": {
      var scene = try invited()
      try scene.stage.ask("ann", .end(nil))
      scene.named = scene.offered
      return scene
    },
    "invited under another name, on a device that was banned": {
      var scene = try invited()
      try scene.stage.ask("bob", .answerInvitation(scene.offered, .accepted, seq: nil))
      let participant = scene.stage["bob"].participant ?? "nobody"
      try scene.stage.ask("ann", .remove(nil, participant, isBanned: true))
      scene.stage.disconnect("bob")
      try scene.stage.install("bob", as: "cat", in: "g")
      try scene.stage.ask("ann", .invite(nil, ["cat"], lifetime: nil))
      scene.notification = try scene.stage.invitation("cat").id
      return scene
    },
    "not invited": {
      var scene = try invited()
      try scene.stage.install("tv", as: "cat", in: "g")
      scene.asker = "tv"
      return scene
    },
    "a notification that is over": {
      var scene = try invited()
      let push = DirectPush(
        to: "bob", NotificationPayload(.init(body: "Hi")), key: Stage.administratorKey)
      try scene.stage.notify("ann", .push(push))
      scene.notification = scene.stage.notifications("bob").last?.id ?? "n"
      try scene.stage.notify("bob", .remove([scene.notification]))
      return scene
    },
    "a guest where hosts steer and invite": {
      var scene = try invited()
      try scene.stage.ask("bob", .answerInvitation(scene.offered, .accepted, seq: nil))
      try scene.stage.ask("ann", .invite(nil, ["eve"], lifetime: nil))
      try scene.stage.ask("ann", .setControl(nil, .hostsOnly))
      return scene
    },
    "as many are invited as may be": {
      var scene = try invited(limits { $0.invitations = 1 })
      scene.asker = "ann"
      return scene
    },
    "as many have a tray as may": {
      var scene = try invited { $0.policy.trays = 1 }
      scene.asker = "ann"
      return scene
    },
    "a server without notifications": {
      var stage = try Stage.notifying { $0.policy.trays = 0 }
      try stage.gather(["ann", "bob"])
      let id = try stage.activate("ann")
      return RefusalScene(stage: stage, offered: id)
    },
    "nothing more to subscribe to, and no place for pushes": {
      try invited {
        $0.policy.subscriptions = 0
        $0.endpointFlaw = { _ in "scheme" }
      }
    },
    "no administrator": { try invited { $0.administratorKey = nil } },
  ]

  /// Ann is in a session, to which Bob is invited.
  private static func invited(
    _ limits: Limits = Limits(), _ change: (inout NotificationSettings) -> Void = { _ in }
  ) throws -> RefusalScene {
    var stage = try Stage.notifying(limits: limits, change)
    try stage.gather(["ann"])
    try stage.install("bob", as: "bob", in: "g")
    let id = try stage.activate("ann")
    let other = try stage.join("ann", id)
    let invitation = try stage.invitation("bob").id
    return RefusalScene(stage: stage, offered: id, notification: invitation, other: other)
  }
}
