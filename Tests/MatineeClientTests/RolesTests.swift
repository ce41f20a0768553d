import EventLoops
import GroupSessions
import Participation
import Testing
import Vocabulary
import Wire

@testable import MatineeClient

@Suite(.serialized, .hangLimit) struct RolesTests {
  @Test func `only hosts steer where that is the rule, and a host may make others hosts`()
    async throws
  {
    try await Gathering.with { room in
      let sessions = try await room.watch(control: .hostsOnly)
      let (mine, theirs) = (sessions[0], sessions[1])
      #expect(theirs.policies.current.control == .hostsOnly)
      #expect(mine.localParticipant?.role == .host && theirs.localParticipant?.role == .guest)
      let forbidden = await refusal { () throws(GroupWatchError) in
        try await theirs.queue.add(MediaItem(url: "b.mp4"))
      }
      #expect(forbidden == .forbidden)

      let changes = mine.participantChanges
      try await mine.setRole(.host, of: try #require(theirs.localParticipant))
      await theirs.activeParticipants.becomes { $0.allSatisfy(\.isHost) }
      #expect(theirs.localParticipant?.role == .host)
      try await theirs.queue.add(MediaItem(url: "b.mp4"))
      let bob = try #require(theirs.localParticipant)
      for await change in changes where change == .changed(bob.id) { break }

      try await theirs.setControlPolicy(.everyone)
      try await theirs.setWaitingPolicy(.together)
      await mine.policies.becomes { $0.control == .everyone && $0.waiting == .together }
    }
  }

  @Test func `who hears of a change of people finds it among the people already`() async {
    let ann = Identity(user: UserID("u-Ann"), device: DeviceID("d-Ann"), name: "Ann")
    let offer = Offer(
      session: SessionID("s"), group: GroupID("room"),
      activity: GroupSessions.GroupActivity(
        type: "watch", payload: JSONText(null: ()), metadata: GroupActivityMetadata(title: "Film"),
        media: nil),
      revision: 0, initiator: ann, isStaged: false)
    let core = SessionCore(offer, device: ann.device)
    let counts = Locked<[Int]>([])
    let changes = core.changes.listen()
    let reader = Task(executorPreference: AtOnce()) {
      while await changes.next() != nil {
        counts.withLock { $0.append(core.participants.current.count) }
      }
    }
    let participant = GroupSessions.Participant(
      id: ParticipantID("p"), identity: ann, role: .host, joinedAt: Instant(microseconds: 0))
    core.take(.roster(.joined(participant)), session: nil)
    core.take(.roster(.left(participant, nil)), session: nil)
    core.changes.finish()
    await reader.value
    #expect(counts.withLock { $0 } == [1, 0])
  }

  @Test func `people say that they are ready, and whoever may steer says it for others`()
    async throws
  {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let (mine, theirs) = (sessions[0], sessions[1])
      #expect(mine.activeParticipants.current.allSatisfy { $0.isReadyToStart == nil })
      let notices = mine.notices
      try await theirs.setReadyToStart(true)
      await mine.activeParticipants.becomes { $0.contains { $0.isReadyToStart == true } }
      for await notice in notices where notice.action == .saidReady(true) { break }
      try await theirs.setReadyToStart(false, for: try #require(mine.localParticipant))
      await mine.activeParticipants.becomes { $0.contains { $0.isReadyToStart == false } }
      #expect(mine.localParticipant?.isReadyToStart == false)

      try await mine.setControlPolicy(.hostsOnly)
      let ann = try #require(mine.localParticipant)
      let byGuest = await refusal { () throws(GroupWatchError) in
        try await theirs.setReadyToStart(true, for: ann)
      }
      #expect(byGuest == .forbidden)
      try await theirs.setReadyToStart(false)
      #expect(!ann.isKeeper)
    }
  }

  @Test func `who is suspended for ten minutes is away`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let suspension = try await PlaybackCoordinator(session: sessions[1]).beginSuspension(
        for: .userActionRequired)
      let roster = await sessions[0].activeParticipants.becomes {
        $0.contains { $0.suspendedSince != nil }
      }
      let bob = try #require(roster?.first { $0.suspendedSince != nil })
      let since = try #require(bob.suspendedSince)
      #expect(bob.name == "Bob")
      #expect(!bob.isAway(at: since + .seconds(599)) && bob.isAway(at: since + .seconds(600)))

      try await suspension.end()
      await sessions[0].activeParticipants.becomes { $0.allSatisfy { $0.suspensions.isEmpty } }
      let back = sessions[0].activeParticipants.current
      #expect(back.allSatisfy { !$0.isAway(at: since + .seconds(600)) })
    }
  }

  @Test func `who is removed hears so, and one who is banned cannot come back`() async throws {
    try await Gathering.with(["Ann", "Bob", "Cid"]) { room in
      let sessions = try await room.watch()
      let mine = sessions[0]
      let ann = try #require(mine.localParticipant)
      let byGuest = await refusal { () throws(GroupWatchError) in
        try await sessions[1].remove(ann)
      }
      #expect(byGuest == .forbidden)

      try await mine.remove(try #require(sessions[1].localParticipant))
      await sessions[1].state.becomes {
        $0 == .invalidated(.removed(by: ann.id, isBanned: false))
      }
      try await mine.remove(try #require(sessions[2].localParticipant), isBanned: true)
      await sessions[2].state.becomes {
        $0 == .invalidated(.removed(by: ann.id, isBanned: true))
      }
      let back = await refusal { () throws(GroupWatchError) in try await sessions[2].join() }
      #expect(back != nil)
      await mine.activeParticipants.becomes { $0.count == 1 }
    }
  }

  @Test func `one person on two devices is one of the people`() async throws {
    try await Gathering.with(["Ann", "Bob", "Ann/tv"]) { room in
      let sessions = try await room.watch()
      #expect(sessions[1].activeParticipants.current.count == 3 && sessions[1].peopleCount == 2)
      let session = try #require(try await room.bob.status().sessions.first)
      #expect(session.participants.count == 3 && session.peopleCount == 2)
    }
  }

  @Test func `where each person has one device the next one takes over`() async throws {
    try await Gathering.with(["Ann", "Bob", "Ann/tv"]) { room in
      try await Film(title: "Metropolis").activate(on: room.ann, oneDevicePerPerson: true)
      let phone = try await room.ann.next()
      let television = try await room.clients[2].next()
      try await phone.join()
      await phone.policies.becomes { $0.oneDevicePerPerson }
      try await television.join()
      let end = await phone.state.becomes { if case .invalidated = $0 { true } else { false } }
      guard case .invalidated(.handedOff)? = end else {
        Issue.record("\(String(describing: end))")
        return
      }
      await television.state.becomes { $0 == .joined }
      #expect(television.activeParticipants.current.count == 1)
    }
  }

  @Test func `a person goes on with another device`() async throws {
    try await Gathering.with(["Ann", "Bob", "Ann/tv"]) { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      let phone = try await room.ann.next()
      let friend = try await room.bob.next()
      let television = try await room.clients[2].next()
      let nothing = await refusal { () throws(GroupWatchError) in
        try await television.takeOver()
      }
      #expect(nothing == .unknownParticipant)
      try await phone.join()
      try await friend.join()
      await friend.state.becomes { $0 == .joined }
      #expect(try await television.ownParticipants().map(\.device) == [DeviceID("d-Ann")])

      try await television.takeOver()
      await television.state.becomes { $0 == .joined }
      await phone.state.becomes {
        if case .invalidated(.handedOff) = $0 { true } else { false }
      }
      await friend.activeParticipants.becomes { people in
        people.count == 2 && people.contains { $0.device == DeviceID("d-Ann/tv") && $0.isHost }
      }
    }
  }
}

/// Runs a task on the thread that resumes it, before that thread goes on.
private final class AtOnce: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
