import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

/// A session with a clock and nobody else: commands are decided, and what they decide made so.
struct Scene {
  var session: GroupSession
  var now = Instant(microseconds: 1_000_000)
  var limits = Limits()

  init(_ beginning: SessionBeginning = Scene.beginning(), limits: Limits = Limits()) {
    session = GroupSession(id: "s", beginning)
    self.limits = limits
  }

  static func beginning(
    staged: Bool = false, control: ControlPolicy = .everyone,
    dismissal: DismissalPolicy = .endsWithInitiator,
    lifetime: LifetimePolicy = .automatic, timing: ProposedTiming? = nil
  ) -> SessionBeginning {
    SessionBeginning(
      group: "g", activity: movie("a", lifetime: lifetime),
      initiator: Initiator(user: "ann", device: "ann-phone", name: "Ann"), isStaged: staged,
      control: control, dismissalPolicy: dismissal, initialTiming: timing,
      joinBy: Instant(microseconds: 61_000_000))
  }

  static func movie(_ name: String, lifetime: LifetimePolicy = .automatic) -> GroupActivity {
    GroupActivity(
      type: "watch", payload: JSONText(validated: "{}"),
      metadata: GroupActivityMetadata(title: name, lifetimePolicy: lifetime), media: media(name))
  }

  static func media(_ name: String) -> MediaItem { MediaItem(item: ItemID(name), url: "u") }

  @discardableResult
  mutating func run(_ command: SessionCommand) throws(SessionRejection) -> [SessionEvent] {
    let before = session
    let conditions = PlaybackConditions(limits: limits)
    let events: [SessionEvent]
    do {
      events = try session.decide(command, at: now, under: conditions)
    } catch {
      #expect(session == before)
      throw error
    }
    for event in events { session.evolve(event, at: now) }
    #expect(session.seq == before.seq + events.count)
    return events
  }

  /// Someone joins: a participant named like the person, on the person's phone.
  @discardableResult
  mutating func join(_ name: String, device: DeviceID? = nil, handoffFrom: ParticipantID? = nil)
    throws(SessionRejection) -> [SessionEvent]
  {
    let id = ParticipantID(device == nil ? name : name + "2")
    return try run(
      .join(
        Joiner(
          id: id,
          identity: Identity(
            user: UserID(name), device: device ?? DeviceID(name + "-phone"), name: name),
          handoffFrom: handoffFrom)))
  }

  mutating func advance(_ duration: Duration) throws(SessionRejection) -> [SessionEvent] {
    now = now + duration
    return try run(.clockAdvanced)
  }

  static func watching(_ names: [String], _ beginning: SessionBeginning = Scene.beginning()) throws
    -> Scene
  {
    var scene = Scene(beginning)
    for name in names { try scene.join(name) }
    return scene
  }

  func rejection(_ command: SessionCommand) -> SessionRejection? {
    do {
      _ = try session.decide(command, at: now, under: PlaybackConditions(limits: limits))
      return nil
    } catch { return error }
  }
}
