import InAppMessaging
import MatineeClient
import Testing

/// What an app may ask a server about its campaigns.
@Suite(.serialized, .hangLimit) struct CampaignExplanationTests {
  // Proves: R-40
  @Test func `an app is told why a campaign does not come`() async throws {
    let once = Campaign.onEvent("go", .text("Hello")) {
      $0.caps = [FrequencyCap(1, per: .ever)]
    }
    let quiet = Campaign.onEvent("never", id: "quiet", .text("Quiet"))
    let other = Campaign.onEvent("other", id: "other", .text("Other"))
    try await ServerThread.with([once, quiet, other]) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.logEvent("go")
      await client.inAppMessages.visible.becomes { $0 != nil }
      client.inAppMessages.dismiss()
      await client.inAppMessages.visible.becomes { $0 == nil }
      client.inAppMessages.logEvent("go")
      // What is logged is taken in order, so with this the one before was looked at.
      client.inAppMessages.logEvent("other")
      await notebook.waits(for: "show default Other")
      let explanation = try await client.inAppMessages.explain(CampaignID("campaign"))
      #expect(explanation.refusal == .cap && explanation.detail == "at most 1")
      #expect(explanation.last?.refusal == .cap && explanation.last?.place == 0)
      #expect(explanation.last?.trigger == "event go")
      let all = try await client.inAppMessages.explanations()
      #expect(Set(all.map(\.id.text)) == ["campaign", "quiet", "other"])
      #expect(all.first { $0.id.text == "quiet" }?.last == nil)
      let refused = await refusal { () throws(GroupWatchError) in
        _ = try await client.inAppMessages.explain(CampaignID("none"))
      }
      #expect(refused == .unknownCampaign)
    }
  }

  // Proves: R-6
  @Test func `a test is shown whatever the limits, with the event it is given, and counts nothing`()
    async throws
  {
    let draft = Campaign.onEvent("go", .text("{{event.title}}")) {
      $0.state = .draft
      $0.caps = [FrequencyCap(1, per: .ever)]
    }
    try await ServerThread.with([draft]) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.setDefaultView(notebook)
      for title in ["Sintel", "Metropolis"] {
        try await client.inAppMessages.sendTest(
          of: CampaignID("campaign"), event: "go", ["title": .string(title)])
        let shown = await client.inAppMessages.visible.becomes { $0?.plainText == title }
        #expect(shown??.campaign?.isTest == true)
        client.inAppMessages.dismiss()
        await client.inAppMessages.visible.becomes { $0 == nil }
      }
      #expect(try await client.inAppMessages.explain(CampaignID("campaign")).refusal == .notLive)
    }
  }
}
