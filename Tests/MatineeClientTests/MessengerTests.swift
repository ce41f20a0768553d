import MatineeClient
import Testing

/// Messages have types, and a stream is for one of them.
@Suite(.serialized, .hangLimit) struct MessengerTests {
  private struct Cheer: Codable, Equatable, Sendable { var text: String }
  private struct Boo: Codable, Equatable, Sendable { var text: String }
  private struct Old: Codable, Equatable, Sendable, CustomMessageIdentifiable {
    static let messageIdentifier = "reaction"
    var text: String
  }
  private struct New: Codable, Equatable, Sendable, CustomMessageIdentifiable {
    static let messageIdentifier = "reaction"
    var text: String
    var size: Int?
  }

  @Test func `types that look alike do not get one another's messages`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let theirs = GroupSessionMessenger(session: sessions[1])
      let (cheers, boos) = (theirs.messages(of: Cheer.self), theirs.messages(of: Boo.self))
      let mine = GroupSessionMessenger(session: sessions[0])
      try await mine.send(Boo(text: "1"))
      try await mine.send(Cheer(text: "2"))
      try await mine.send(Boo(text: "3"))
      try await mine.send(Cheer(text: "4"))
      var heard: [String] = []
      for await (cheer, _) in cheers {
        heard.append(cheer.text)
        if heard.count == 2 { break }
      }
      for await (boo, _) in boos {
        heard.append(boo.text)
        if heard.count == 4 { break }
      }
      #expect(heard == ["2", "4", "1", "3"])
    }
  }

  @Test func `types that name themselves the same are the same on the way`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let messages = GroupSessionMessenger(session: sessions[1]).messages(of: New.self)
      try await GroupSessionMessenger(session: sessions[0]).send(Old(text: "hi"))
      for await (message, _) in messages {
        #expect(message == New(text: "hi", size: nil))
        break
      }
    }
  }

  @Test func `a line that is said to some only is marked so`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let ann = GroupSessionMessenger(session: sessions[0])
      var chat = GroupSessionMessenger(session: sessions[1]).chat.makeAsyncIterator()
      let ben = try #require(sessions[1].localParticipant)
      try await ann.say("psst", to: .only(ben))
      try await ann.say("hello")
      let lines = [try #require(await chat.next()), try #require(await chat.next())]
      #expect(lines.map(\.text) == ["psst", "hello"])
      #expect(lines.map(\.isPrivate) == [true, false])
    }
  }

  /// A type that any object can be decoded as.
  private struct Loose: Codable, Sendable {
    var text: String?
  }

  @Test func `a line of chat is no message of an app`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let messages = GroupSessionMessenger(session: sessions[1]).messages(of: Loose.self)
      let mine = GroupSessionMessenger(session: sessions[0])
      try await mine.say("hello")
      try await mine.sendPlain(Loose(text: "1"))
      for await (message, _) in messages {
        #expect(message.text == "1")
        break
      }
    }
  }

  @Test func `whoever joins later hears what was said to everyone`() async throws {
    try await Gathering.with(["Ann", "Bob", "Cid"]) { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      var sessions: [GroupSession<Film>] = []
      for client in room.clients { sessions.append(try await client.next()) }
      for session in sessions.dropLast() {
        try await session.join()
        await session.state.becomes { $0 == .joined }
      }
      let mine = GroupSessionMessenger(session: sessions[0])
      try await mine.say("is anybody there?")
      try await mine.say("psst", to: .only(try #require(sessions[0].localParticipant)))
      try await GroupSessionMessenger(session: sessions[1]).say("me")
      await sessions[1].leave()

      // Whoever listens before joining gets it, and whoever begins to listen later, too.
      let theirs = GroupSessionMessenger(session: sessions[2])
      var early = theirs.chat.makeAsyncIterator()
      try await sessions[2].join()
      #expect(await early.next()?.text == "is anybody there?")
      let answer = try #require(await early.next())
      #expect(answer.text == "me" && answer.name == "Bob" && answer.isEarlier)
      var late = theirs.chat.makeAsyncIterator()
      try await mine.say("welcome")
      for expected in ["is anybody there?", "me", "welcome"] {
        #expect(await late.next()?.text == expected)
      }
      let live = try #require(await early.next())
      #expect(live.text == "welcome" && !live.isEarlier)
    }
  }
}
