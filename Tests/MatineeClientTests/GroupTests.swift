import MatineeClient
import Testing

@Suite(.serialized, .hangLimit) struct GroupTests {
  @Test func `who switches sharing off is not eligible until it is on again`() async throws {
    try await Gathering.with { room in
      try await room.bob.setSharing(false)
      await room.bob.groupState.eligibility.becomes { $0 == .ineligible(.sharingDisabled) }
      await room.ann.groupState.group.becomes { $0?.members.map(\.isSharing) == [true, false] }
      try await Film(title: "Metropolis").activate(on: room.ann)
      let mine = try await room.ann.next()
      try await mine.join()
      await room.bob.groupState.activityNotice.becomes { $0?.title == "Metropolis" }
      try await room.bob.setSharing(true)
      await room.bob.isEligible()
      let theirs = try await room.bob.next()
      try await theirs.join()
      try await mine.end()
      await room.bob.groupState.activityNotice.becomes { $0 == nil }
    }
  }

  @Test func `an app is told of an activity that it does not know, with its link`() async throws {
    let media = MediaItem(title: "Metropolis", url: "https://films.example/metropolis.mp4")
    try await Gathering.with(adjust: { $0.knownActivities = [MediaItemActivity.activityIdentifier] }
    ) {
      room in
      try await MediaItemActivity(media).activate(on: room.ann)
      for await session in room.bob.sessions(of: MediaItemActivity.self) {
        #expect(session.activity.mediaItem == media)
        break
      }
    }
    try await Gathering.with(adjust: { $0.knownActivities = [Film.activityIdentifier] }) { room in
      try await MediaItemActivity(media).activate(on: room.ann)
      let notice = await room.bob.groupState.activityNotice.becomes { $0 != nil }
      #expect(notice??.title == "Metropolis" && notice??.fallbackURL == media.url)
      // The next session is one that it knows.
      try await Film(title: "Sunrise").activate(on: room.ann, ifBusy: .replace)
      #expect(try await room.bob.next().activity.title == "Sunrise")
    }
  }

  @Test func `leaving the group leaves the session, and the other is alone`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      try await room.bob.leaveGroup()
      await sessions[1].state.becomes {
        if case .invalidated = $0 { true } else { false }
      }
      await room.ann.groupState.eligibility.becomes { $0 == .ineligible(.alone) }
      await sessions[0].activeParticipants.becomes { $0.count == 1 }
      #expect(sessions[0].state.current == .joined)
    }
  }

  @Test func `only whoever opened the group closes it, and with it the session`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let refused = await refusal { () throws(GroupWatchError) in
        try await room.bob.closeGroup()
      }
      #expect(refused == .notFounder)
      try await room.ann.closeGroup()
      for session in sessions {
        await session.state.becomes { $0 == .invalidated(.ended(.groupClosed)) }
      }
      await room.bob.groupState.group.becomes { $0 == nil }
    }
  }

  @Test func `an app's objects are everybody's in the group, without a session`() async throws {
    let votes = ObjectID("votes")
    try await Gathering.with { room in
      try await room.ann.updateObject(votes, set: ["ann": "Metropolis", "late": true])
      let objects = room.bob.groupState.objects
      await objects.becomes { $0[votes]?.fields == ["ann": "Metropolis", "late": true] }
      try await room.bob.updateObject(votes, set: ["bob": ["title": "Sunrise"], "late": .null])
      let both: [String: PayloadValue] = ["ann": "Metropolis", "bob": ["title": "Sunrise"]]
      // A reader gets what has changed, and the group's members have not.
      await room.ann.groupState.objects.becomes { $0[votes]?.fields == both }
      let before = try #require(objects.current[votes]?.version)
      let long = PayloadValue.string(String(repeating: "x", count: 20_000))
      let full = await refusal { () throws(GroupWatchError) in
        try await room.ann.updateObject(votes, set: ["one": long, "two": long])
      }
      #expect(full == .objectsFull)
      try await room.ann.removeObject(votes)
      await objects.becomes(\.isEmpty)
      try await room.bob.updateObject(votes, set: [:])
      #expect(try #require(objects.current[votes]?.version) > before)
      try await room.bob.leaveGroup()
      await objects.becomes(\.isEmpty)
      let refused = await refusal { () throws(GroupWatchError) in
        try await room.bob.updateObject(votes, set: [:])
      }
      #expect(refused == .notInGroup)
    }
  }

  @Test func `closing the client ends what is told of the group`() async throws {
    try await Gathering.with { room in
      let state = room.ann.groupState
      let (groups, errors) = (state.group.values, state.rejoinError.values)
      room.ann.close()
      for await _ in groups {}
      for await _ in errors {}
    }
  }

  @Test func `the status names groups, sessions and people`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      await PlaybackCoordinator(session: sessions[0]).status.becomes { $0 != nil }
      let status = try await room.bob.status()
      #expect(status.groups.map(\.id) == [GroupID("room")])
      #expect(status.groups.first?.members.map(\.name) == ["Ann", "Bob"])
      let summary = try #require(status.sessions.first)
      #expect(summary.id == sessions[0].id && summary.title == "Metropolis")
      #expect(summary.participants.map(\.name) == ["Ann", "Bob"])
      #expect(summary.phase == .paused(at: .zero))
    }
  }

  @Test func `a client that is closed is in no group`() async throws {
    try await Gathering.with { room in
      room.ann.close()
      await room.ann.groupState.group.becomes { $0 == nil }
      #expect(!room.ann.groupState.isEligibleForGroupSession)
    }
  }

  @Test(arguments: [
    PayloadValue.number(.nan), .list([.number(.infinity)]), ["votes": .number(-.infinity)],
  ])
  func `a number that JSON does not have is refused, and takes nothing away`(value: PayloadValue)
    async throws
  {
    try await Gathering.with { room in
      let votes = ObjectID("votes")
      try await room.ann.updateObject(votes, set: ["ann": 1])
      let code = await refusal { () throws(GroupWatchError) in
        try await room.ann.updateObject(votes, set: ["ann": value])
      }
      #expect(code == .notEncodable)
      try await room.ann.updateObject(votes, set: ["bob": 2])
      await room.bob.groupState.objects.becomes { $0[votes]?.fields == ["ann": 1, "bob": 2] }
    }
  }
}
