import GroupSessions
import Vocabulary
import Wire

extension Coordinator {
  /// Starts an activity with the group, or finds that it goes on already.
  mutating func activate(
    _ activation: Activation, _ device: Device, isStaged: Bool, _ done: Reply
  ) throws(ProtocolError) {
    guard let groupID = device.group, let aggregate = groups[groupID] else {
      throw ProtocolError(.notEligible, reason: Ineligibility.notInGroup.rawValue)
    }
    try check(activation.activity)
    if let live = aggregate.group?.session,
      rejoin(live, of: device, activation.activity, isStaged: isStaged, done)
    {
      return
    }
    let initiator = destination(of: device)
    // Where another device is to play, this one must still be one that may start things.
    if initiator != device.identity, let obstacle = obstacle(for: device) {
      throw ProtocolError(.notEligible, reason: obstacle.rawValue)
    }
    let id = SessionID(mintText(prefix: "s"))
    let beginning = SessionBeginning(
      group: groupID, activity: activation.activity, initiator: initiator,
      isStaged: isStaged, control: activation.control, waitingPolicy: activation.waitingPolicy,
      dismissalPolicy: activation.dismissalPolicy ?? dismissalPolicy,
      initialTiming: activation.initialTiming, oneDevicePerUser: activation.oneDevicePerUser,
      joinBy: now + limits.offerDeadline)
    let reply = done.wanting(
      .activated(isNew: true, willDeliver: initiator.device == device.id))
    perform(
      GroupWork(
        command: .start(id, beginning, replacing: activation.ifBusy == .replace), reply: reply),
      on: groupID)
  }

  /// Two activations of one thing are one session: whether this one went to the live session.
  mutating func rejoin(
    _ live: SessionID, of device: Device, _ activity: GroupActivity, isStaged: Bool, _ reply: Reply
  ) -> Bool {
    guard let aggregate = sessions[live], aggregate.activity?.isSame(as: activity) == true else {
      return false
    }
    if let obstacle = obstacle(for: device) {
      refuse(reply, ProtocolError(.notEligible, reason: obstacle.rawValue))
    } else if aggregate.session?.banned.contains(device.id) == true {
      refuse(reply, ProtocolError(.banned))
    } else {
      devices[device.id]?.departure = nil
      let initiator = destination(of: device)
      let reply = reply.wanting(
        .activated(isNew: false, willDeliver: initiator.device == device.id))
      perform(
        SessionWork(command: isStaged ? .look : .command(.activate(by: initiator)), reply: reply),
        on: live)
    }
    return true
  }

  /// Who plays what a device starts: it, or the device that its person prefers.
  func destination(of device: Device) -> Identity {
    let group = device.group.flatMap { groups[$0]?.group }
    return group?.destination(of: device.id, limits: limits)?.identity ?? device.identity
  }
}
