import GroupSessions
import Vocabulary
import Wire

extension Coordinator {
  /// Starts an activity with the group, or finds that it goes on already.
  mutating func activate(_ activation: Activation, isStaged: Bool, _ done: Reply)
    throws(ProtocolError)
  {
    guard let device = devices[done.device], let groupID = device.group,
      let group = groups[groupID]?.group
    else { throw ProtocolError(.notEligible, reason: Ineligibility.notInGroup.rawValue) }
    try check(activation.activity)
    let reply = Reply(device: done.device, id: done.id, wanted: .activated)
    if let live = group.session, let session = sessions[live]?.session,
      session.activity.isSame(as: activation.activity)
    {
      return try rejoin(session, of: device, isStaged, reply)
    }
    let id = SessionID(mintText(prefix: "s"))
    let beginning = SessionBeginning(
      group: groupID, activity: activation.activity,
      initiator: Initiator(user: device.user, device: device.id, name: device.name),
      isStaged: isStaged, control: activation.control, waitingPolicy: activation.waitingPolicy,
      initialTiming: activation.initialTiming, joinBy: now + limits.offerDeadline)
    let start = GroupCommand.startSession(
      id, by: device.id, replacing: activation.ifBusy == .replace)
    perform(GroupWork(task: .command(start), reply: reply, beginning: beginning), on: groupID)
  }

  /// The same activity goes on already: two activations of one thing are one session.
  private mutating func rejoin(
    _ session: GroupSession, of device: Device, _ isStaged: Bool, _ reply: Reply
  ) throws(ProtocolError) {
    if case .ineligible(let reason) = device.eligibility, reason != .alone {
      throw ProtocolError(.notEligible, reason: reason.rawValue)
    }
    answer(reply, .activated(session.id, isNew: false, willDeliver: true))
    devices[device.id]?.departed = nil
    if session.state == .staged, !isStaged {
      let command = SessionCommand.activate(by: device.id)
      perform(SessionWork(task: .command(command), reply: nil), on: session.id)
    } else {
      offer(session, to: device.id)
    }
  }

  /// What an activity must have to be shared; names the field that is wrong.
  func check(_ activity: GroupActivity) throws(ProtocolError) {
    func refuse(_ field: String, _ message: String) -> ProtocolError {
      ProtocolError(.invalidActivity, message, field: field)
    }
    guard !activity.type.isEmpty else {
      throw refuse("activity.type", "an activity needs a type")
    }
    guard !activity.metadata.title.isEmpty else {
      throw refuse("activity.metadata.title", "an activity needs a title to invite with")
    }
    if let media = activity.media, media.url.isEmpty || media.item.text.isEmpty {
      throw refuse("activity.media.url", "media needs a URL")
    }
    let links = [
      ("activity.metadata.fallbackURL", activity.metadata.fallbackURL),
      ("activity.metadata.previewImageURL", activity.metadata.previewImageURL),
    ]
    for (field, link) in links {
      guard let link else { continue }
      guard link.hasPrefix("https://") || link.hasPrefix("http://") else {
        throw refuse(field, "a link begins with https:// or http://")
      }
    }
  }
}
