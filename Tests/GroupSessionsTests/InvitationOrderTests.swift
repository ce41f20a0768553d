import GroupSessions
import Naming
import Testing
import Vocabulary

/// Whatever order people answer, come, go and run out of time in, from however many devices.
@Suite struct InvitationOrderTests {
  enum Move: Equatable {
    case invite(UserID)
    case accept(UserID, DeviceID?)
    case decline(UserID, DeviceID?)
    case join(UserID, DeviceID)
    case leave(UserID, DeviceID)
    case revoke(UserID)
    case wait(Duration)
    case end
  }

  /// A session and its model, led through the same moves.
  struct Pair {
    var scene: Scene
    var model: InvitationModel
    var nextID = 1
    /// How often somebody took a seat, by the answer or by themselves.
    var seatings: [UserID: Int] = [:]
    var events: [(event: SessionEvent, at: Instant)] = []

    init(isOneDeviceEach: Bool) throws {
      scene = try InvitationTests.scene(isOneDeviceEach: isOneDeviceEach)
      model = InvitationModel(
        hasOneDeviceEach: isOneDeviceEach, lifetime: scene.limits.invitationLifetime)
      for user in ["bob", "cat"] as [UserID] { _ = model.invite(user, at: scene.now) }
    }

    mutating func make(_ move: Move) -> (InvitationModel.Outcome, expected: InvitationModel.Outcome)
    {
      let now = scene.now
      switch move {
      case .invite(let user):
        return (run(.invite([user], by: "ann")), model.invite(user, at: now))
      case .accept(let user, let device?):
        let command = InvitationTests.accept(user, device, as: mintID())
        return (run(command), model.answer(user, .accepted, joining: device, at: now))
      case .accept(let user, nil):
        return (
          run(InvitationTests.acceptForLater(user)),
          model.answer(user, .accepted, joining: nil, at: now)
        )
      case .decline(let user, let device):
        return (
          run(InvitationTests.decline(user, device)),
          model.answer(user, .declined, joining: nil, at: now)
        )
      case .join(let user, let device):
        let joiner = InvitationTests.joiner(user, device, as: mintID())
        return (run(.join(joiner)), model.join(user, device))
      case .leave(let user, let device):
        let seated = scene.session.participants.firstValue {
          $0.user == user && $0.device == device
        }
        return (run(.leave(seated?.id ?? "nobody")), model.leave(user, device))
      case .revoke(let user):
        return (run(.revokeInvitations([user], by: "ann")), model.revoke(user))
      case .wait(let duration):
        scene.now = now + duration
        if model.end == nil { model.pass(to: scene.now) }
        return (run(.clockAdvanced), model.end.map { .refused(.ended($0)) } ?? .done)
      case .end:
        let outcome = run(.end(by: "ann"))
        let expected = model.end.map { InvitationModel.Outcome.refused(.ended($0)) } ?? .done
        model.over(.endedBy("ann"))
        return (outcome, expected)
      }
    }

    private mutating func mintID() -> ParticipantID {
      nextID += 1
      return ParticipantID("p\(nextID)")
    }

    private mutating func run(_ command: SessionCommand) -> InvitationModel.Outcome {
      do throws(SessionRejection) {
        for event in try scene.run(command) {
          events.append((event, scene.now))
          if case .joined(let participant) = event { seatings[participant.user, default: 0] += 1 }
        }
        return .done
      } catch { return .refused(error) }
    }

    /// The session is what the model is.
    func check(_ story: [Move]) {
      let session = scene.session
      for user in ["bob", "cat"] as [UserID] {
        let seats = session.participants.values.filter { $0.user == user }.map(\.device)
        #expect(Set(seats) == model.people[user]?.seats ?? [], "\(user): \(story)")
        #expect(Set(seats).count == seats.count, "\(user): \(story)")
        if session.oneDevicePerUser { #expect(seats.count <= 1, "\(user): \(story)") }
        let state = session.invitations[user]?.state
        #expect(state == model.state(of: user), "\(user): \(story)")
        if state == .pending { #expect(seats.isEmpty, "\(user): \(story)") }
      }
      let expiries = session.invitations.values.filter { $0.state == .pending }.map(\.expires)
      #expect(session.invitations.nextExpiry == expiries.min(), "\(story)")
      #expect(session.nextDeadline == (model.end == nil ? expiries.min() : nil), "\(story)")
    }
  }

  // MARK: A small world, exhaustively

  static let answers: [Move] = [
    .accept("bob", "phone"), .accept("bob", "tv"), .accept("bob", nil), .decline("bob", "tv"),
    .decline("bob", nil), .join("bob", "tv"), .leave("bob", "phone"), .leave("bob", "tv"),
    .invite("bob"), .revoke("bob"), .wait(.seconds(4 * 3600)), .end,
  ]

  // Proves: §7.14
  @Test(arguments: [false, true])
  func `every story of four moves is the model's`(isOneDeviceEach: Bool) throws {
    var stories = 0
    tell(try Pair(isOneDeviceEach: isOneDeviceEach), [], depth: 4, &stories)
    #expect(stories == 12 * 12 * 12 * 12)
  }

  private func tell(_ pair: Pair, _ story: [Move], depth: Int, _ stories: inout Int) {
    guard depth > 0 else { return stories += 1 }
    for move in Self.answers {
      var next = pair
      let (outcome, expected) = next.make(move)
      if outcome != expected { Issue.record("\(outcome), not \(expected): \(story + [move])") }
      next.check(story + [move])
      tell(next, story + [move], depth: depth - 1, &stories)
    }
  }

  // MARK: Any world, at random

  // Proves: §7.14
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `two people with three devices each are where the model has them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var pair = try Pair(isOneDeviceEach: seed.isMultiple(of: 2))
    let start = try InvitationTests.scene(isOneDeviceEach: seed.isMultiple(of: 2)).session
    var story: [Move] = []
    for _ in 0..<60 {
      let move = Self.move(&random)
      story.append(move)
      let (outcome, expected) = pair.make(move)
      try #require(outcome == expected, "seed \(seed): \(story)")
      pair.check(story)
    }
    var replayed = start
    for (event, at) in pair.events { replayed.evolve(event, at: at) }
    #expect(replayed == pair.scene.session)
  }

  // Proves: §7.14
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `answers alone seat a person once, however many there are`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var pair = try Pair(isOneDeviceEach: false)
    for _ in 0..<40 {
      let move = Self.move(&random)
      switch move {
      case .join, .invite: continue
      default: _ = pair.make(move)
      }
      #expect(pair.seatings.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    }
  }

  private static func move(_ random: inout SplitMix64) -> Move {
    let user: UserID = Bool.random(using: &random) ? "bob" : "cat"
    let device = DeviceID("\(user)-\(Int.random(in: 1...3, using: &random))")
    let maybe = Int.random(in: 0..<3, using: &random) == 0 ? nil : device
    return switch Int.random(in: 0..<40, using: &random) {
    case 0..<12: .accept(user, maybe)
    case 12..<16: .decline(user, maybe)
    case 16..<20: .join(user, device)
    case 20..<28: .leave(user, device)
    case 28..<32: .invite(user)
    case 32..<35: .revoke(user)
    case 35..<39: .wait(.seconds(Int.random(in: 1...3, using: &random) * 3_600))
    default: Int.random(in: 0..<3, using: &random) == 0 ? .end : .wait(.seconds(4 * 3_600))
    }
  }
}
