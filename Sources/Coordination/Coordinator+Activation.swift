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
    let id = SessionID(mintText(prefix: "s"))
    let beginning = SessionBeginning(
      group: groupID, activity: activation.activity, initiator: device.identity,
      isStaged: isStaged, control: activation.control, waitingPolicy: activation.waitingPolicy,
      initialTiming: activation.initialTiming, joinBy: now + limits.offerDeadline)
    let start = GroupWork.Task.start(id, beginning, replacing: activation.ifBusy == .replace)
    let reply = done.wanting(.activated(isNew: true))
    perform(GroupWork(task: start, reply: reply), on: groupID)
  }

  /// Two activations of one thing are one session: whether this one went to the live session.
  mutating func rejoin(
    _ live: SessionID, of device: Device, _ activity: GroupActivity, isStaged: Bool, _ reply: Reply
  ) -> Bool {
    guard let aggregate = sessions[live], aggregate.activity?.isSame(as: activity) == true else {
      return false
    }
    if case .ineligible(let reason) = device.eligibility, reason != .alone {
      refuse(reply, ProtocolError(.notEligible, reason: reason.rawValue))
    } else if aggregate.session?.banned.contains(device.id) == true {
      refuse(reply, ProtocolError(.banned))
    } else {
      devices[device.id]?.departure = nil
      let reply = reply.wanting(.activated(isNew: false))
      let task: SessionWork.Task =
        isStaged ? .look : .command(.activate(by: device.identity))
      perform(SessionWork(task: task, reply: reply), on: live)
    }
    return true
  }

  /// What an activity must have to be shared; names the field that is wrong.
  func check(_ activity: GroupActivity) throws(ProtocolError) {
    func refuse(_ field: String, _ message: String) -> ProtocolError {
      ProtocolError(.invalidActivity, message, field: field)
    }
    guard !activity.type.isEmpty else {
      throw refuse("activity.type", "an activity needs a type")
    }
    guard activity.payload.text.utf8.count <= limits.activityBytes else {
      throw ProtocolError(
        .invalidActivity, "the payload is too large", field: "activity.payload",
        limit: limits.activityBytes)
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
