import InAppMessaging
import MatineeClient
import Testing

/// A device that goes over to another person, against a real server.
@Suite(.serialized, .hangLimit) struct ChangeUserTests {
  private func next(
    _ name: String, after client: GroupWatchClient
  ) async throws -> GroupWatchClient {
    var options = ClientOptions()
    options.inAppMessages.patience = PresenterPatience(.seconds(900))
    options.connectTimeout = .seconds(900)
    return try await client.changeUser(
      to: UserID("u-" + name), name: name, options: options, within: .seconds(900))
  }

  private let campaigns = [
    Campaign.onEvent("go", id: "once", .text("Hello")) { $0.reEligibility = .never },
    Campaign.onEvent("go", id: "second", .text("Second")) { $0.priority.rank = 2 },
    Campaign.onEvent("ask", id: "keen", .text("For keen people")) {
      $0.audience = .attribute(PropertyFilter("keen", .equal, .bool(true)))
    },
  ]

  // Proves
  @Test func `nothing of one person is shown or counted for the next`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    try await server.use(campaigns)
    let ann = try await Gathering.connect("Ann", to: server)
    defer { ann.close() }
    let notebook = Notebook()
    ann.inAppMessages.delegate = notebook
    ann.inAppMessages.setDefaultView(notebook)
    ann.inAppMessages.logEvent("go")
    await notebook.waits(for: "didPresent Hello")
    ann.inAppMessages.logEvent("go")
    await ann.inAppMessages.stack.becomes { $0.count == 1 }
    // Said at the last moment, it is Ann's all the same.
    ann.inAppMessages.setAttribute("keen", .bool(true))

    let bob = try await next("Bob", after: ann)
    defer { bob.close() }
    #expect(bob.identity.device == ann.identity.device && bob.identity.name == "Bob")
    await notebook.waits(for: "didDismiss Hello")
    await notebook.waits(for: "finished userMismatch")
    #expect(!notebook.lines.contains { $0.hasPrefix("process") })
    #expect(ann.inAppMessages.visible.current == nil && ann.inAppMessages.stack.current == [])
    #expect(bob.inAppMessages.stack.current == [])

    // What Ann saw once and for all is new to Bob, and what is known of her is not of him.
    bob.inAppMessages.logEvent("ask")
    bob.inAppMessages.logEvent("go")
    await notebook.waits(for: "didPresent Hello", times: 2)
    #expect(!notebook.lines.contains { $0.contains("For keen people") })
    #expect(bob.inAppMessages.visible.current?.campaign?.user == UserID("u-Bob"))

    let again = try await next("Ann", after: bob)
    defer { again.close() }
    #expect(try await again.inAppMessages.explain(CampaignID("once")).refusal == .frequency)
    again.inAppMessages.logEvent("ask")
    await notebook.waits(for: "didPresent For keen people")
  }

  // Proves: R-31
  @Test func `the old client ends with all it had, and the same person stays who they are`()
    async throws
  {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      #expect(try await next("Ann", after: room.ann) === room.ann)
      let cid = try await next("Cid", after: room.ann)
      defer { cid.close() }
      guard case .invalidated = sessions[0].state.current else {
        Issue.record("she is still in the session")
        return
      }
      let refused = await refusal { () throws(GroupWatchError) in _ = try await room.ann.status() }
      #expect(refused == .closed)
      await sessions[1].activeParticipants.becomes { $0.count == 1 }
      #expect(sessions[1].state.current == .joined)
      try await cid.joinGroup(GroupID("room"))
      await room.bob.groupState.group.becomes { group in
        group?.members.contains { $0.name == "Cid" } == true
          && group?.members.contains { $0.name == "Ann" } == false
      }
    }
  }
}
