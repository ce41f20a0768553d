import Foundation
import MatineeClient
import Testing

/// Programs that take part in whatever a group does.
@Suite(.serialized, .hangLimit) struct AnyGroupActivityTests {
  @Test func `a session of any type comes, and what it is about can be read and replaced`()
    async throws
  {
    try await Gathering.with { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      let theirs = try await room.bob.nextOfAnyType()
      #expect(theirs.activity.type == Film.activityIdentifier)
      #expect(theirs.activity.title == "Metropolis" && theirs.initiator.name == "Ann")
      #expect(theirs.activity.payload.text == #"{"title":"Metropolis"}"#)
      let mine = try await room.ann.next()
      try await mine.join()
      try await theirs.join()
      let next = try AnyGroupActivity(
        type: Film.activityIdentifier, payload: Film(title: "Nosferatu"),
        metadata: GroupActivityMetadata(title: "Nosferatu"))
      #expect(try await next.prepareForActivation(on: room.bob) == .updatesSession(theirs.id))
      try await theirs.update(activity: next)
      for await film in mine.activities where film == Film(title: "Nosferatu") { break }
      #expect(try await next.prepareForActivation(on: room.bob) == .alreadyActive(theirs.id))
    }
  }

  @Test func `one is the same after a stay in an app's settings, and nothing else is read as one`()
    throws
  {
    let activity = try AnyGroupActivity(
      type: "t", payload: ["a": "\n"],
      metadata: GroupActivityMetadata(title: "x", lifetimePolicy: .endsWhenInitiatorLeaves),
      media: MediaItem(title: "y", url: "z"))
    let data = try JSONEncoder().encode(activity)
    #expect(try JSONDecoder().decode(AnyGroupActivity.self, from: data) == activity)
    let text = String(decoding: data, as: UTF8.self)
    for wrong in ["{", #"1\n"#, "{}{}"] {
      let forged = text.replacing(#"{\"a\":\"\\n\"}"#, with: wrong)
      #expect(forged != text)
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(AnyGroupActivity.self, from: Data(forged.utf8))
      }
    }
  }

  @Test func `who left joins again by the session's name, as another object`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let old = sessions[1]
      await old.leave()
      await sessions[0].activeParticipants.becomes { $0.count == 1 }
      let id = try #require(room.bob.groupState.group.current?.session)
      try await room.bob.joinSession(id)
      let new = try await room.bob.next()
      #expect(new !== old && new.id == old.id && old.state.current == .invalidated(.left))
      await new.state.becomes { $0 == .joined }
      await sessions[0].activeParticipants.becomes { $0.count == 2 }
      #expect(new.activeParticipants.current.count == 2)

      // What is over does nothing to the next one.
      await old.leave()
      await old.dismiss()
      try await old.decline()
      let coordinator = PlaybackCoordinator(session: old)
      for code in [
        await refusal { () throws(GroupWatchError) in try await old.end() },
        await refusal { () throws(GroupWatchError) in try await coordinator.pause() },
        await refusal { () throws(GroupWatchError) in try await old.queue.clear() },
        await refusal { () throws(GroupWatchError) in
          try await GroupSessionMessenger(session: old).say("still here?")
        },
      ] { #expect(code == .invalidated) }
      #expect(await coordinator.expectedItemTime() == nil)
      #expect(new.state.current == .joined)
    }
  }

  @Test func `who joins something without media has nothing open any more`() async throws {
    try await Gathering.with { room in
      let film = try AnyGroupActivity(
        type: "film", payload: ["round": 1], metadata: GroupActivityMetadata(title: "Film"),
        media: MediaItem(title: "Film", url: "film.mp4"))
      let game = try AnyGroupActivity(
        type: "game", payload: ["round": 1], metadata: GroupActivityMetadata(title: "Game"))
      let theirs = CoordinationManager<AnyGroupActivity>(
        client: room.bob, prompt: Answers(.onlyMe(remembers: false)))
      _ = try await theirs.prepareToPlay(film)
      while await room.bob.player.reading() == nil { try Task.checkCancellation() }
      try await game.activate(on: room.ann)
      while await room.bob.player.reading() != nil { try Task.checkCancellation() }
      await theirs.enqueuedMedia.becomes { $0 == nil }
    }
  }

  @Test func `a chat reaches those it is for, and other messages come as JSON`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let theirs = GroupSessionMessenger(session: sessions[1])
      var lines = theirs.chat.makeAsyncIterator()
      var payloads = theirs.payloads.makeAsyncIterator()
      let messenger = GroupSessionMessenger(session: sessions[0])
      let me = try #require(sessions[0].localParticipant)
      try await messenger.say("only to myself", to: .only(me))
      try await messenger.say("hello \"all\"")
      try await messenger.send(7)
      try await messenger.sendPlain(["score": 8])
      try await messenger.say("bye")
      let first = try #require(await lines.next())
      #expect(first.text == "hello \"all\"" && first.source == me.id && first.name == "Ann")
      // The lines of chat are only those that somebody said.
      #expect(await lines.next()?.text == "bye")
      let texts = [await payloads.next(), await payloads.next(), await payloads.next()].map {
        $0?.0.text
      }
      #expect(texts[0] == #"{"chat":"hello \"all\""}"#)
      #expect(texts[1]?.contains(#""value":7"#) == true && texts[2] == #"{"score":8}"#)
    }
  }

  @Test func `everyone sees who was asked to come, and what became of it`() async throws {
    try await Gathering.with(["Ann", "Bob", "Cid"]) { room in
      // A session invites those who can be told.
      for client in room.clients { try await client.notifications.register() }
      try await Film(title: "Metropolis").activate(on: room.ann)
      let mine = try await room.ann.next()
      try await mine.join()
      await mine.invitations.becomes { invitations in
        invitations.contains { $0.user == UserID("u-Bob") && $0.state == .pending }
      }
      try await room.bob.next().join()
      try await mine.revokeInvitations(of: [UserID("u-Cid")])
      await mine.invitations.becomes { invitations in
        invitations.contains { $0.user == UserID("u-Bob") && $0.state == .accepted }
          && invitations.contains { $0.user == UserID("u-Cid") && $0.state == .revoked }
      }
    }
  }

  @Test func `a suspension that was not kept can still be ended`() async throws {
    try await Gathering.with { room in
      let coordinator = PlaybackCoordinator(session: try await room.watch()[0])
      await coordinator.status.becomes { $0 != nil }
      #expect(await coordinator.suspensions().isEmpty)
      _ = try await coordinator.beginSuspension(for: SuspensionReason("doorbell"))
      await coordinator.status.becomes { $0?.isSuspended == true }
      let suspension = try #require(await coordinator.suspensions().last)
      #expect(suspension.reason == SuspensionReason("doorbell"))
      try await suspension.end()
      await coordinator.status.becomes { $0?.isSuspended == false }
    }
  }
}

extension GroupWatchClient {
  /// The first session of any type that waits or goes on here.
  func nextOfAnyType() async throws -> GroupSession<AnyGroupActivity> {
    for await session in sessions(of: AnyGroupActivity.self) { return session }
    throw Ended()
  }
}
