import CampaignFiles
import InAppMessaging
import Playback
import Scenarios
import Testing
import Vocabulary
import YAML

@Suite struct ScenarioReaderTests {
  private func read(_ text: String) throws(FileError) -> Scenario {
    try ScenarioReader(file: "test.yaml").read(text)
  }

  private func flaw(_ text: String) -> FileError? {
    do throws(FileError) {
      _ = try read(text)
      return nil
    } catch { return error }
  }

  @Test func `advertisements are stretches of an item, in order`() throws {
    let rest = "peers: {ann: }\nsteps: []"
    let scenario = try read("items: {film: {advertisements: 4-7 30-40.5}}\n" + rest)
    let ranges = scenario.items.first?.interstitials.ranges
    #expect(ranges?.map(\.start) == [.seconds(4), .seconds(30)])
    #expect(ranges?.map(\.end) == [.seconds(7), .seconds(40.5)])
    for wrong in ["4", "7-4", "30-40 4-7", "soon", "4-7-9"] {
      let flaw = flaw("items: {film: {advertisements: \(wrong)}}\n" + rest)
      #expect(flaw?.line == 1, "\(wrong)")
    }
  }

  @Test func `a whole scenario is read`() throws {
    let scenario = try read(
      """
      name: seek
      about: Ann goes elsewhere.
      items: {film: 60, short: {seconds: 3, url: short.mp4}}
      waiting: together
      peers:
        ann: {delay: 5 ms, jitter: 1ms}
        ben: {delay: 0.04, clock: 3, skew: 50, player: mpv}
        cat:
        dan:
      steps:
        - at: 3
          ann: seek 1:05
          ben cat: [pause, play now]
          see:
            - all: paused at 30 ±0.5
              others: [joined, not playing]
              within: 1.5
            - {ann: together within 40 ms, for: 2}
      """)
    #expect(scenario.names == ["ann", "ben", "cat", "dan"])
    #expect(scenario.waiting == .together)
    #expect(scenario.items.map(\.url) == ["film", "short.mp4"])
    #expect(scenario.peers[0].network.delay == .milliseconds(5))
    #expect(scenario.peers[1].network.delay == .milliseconds(40))
    #expect(scenario.peers[1].player == .mpv)
    let step = try #require(scenario.steps.first)
    #expect(step.moment == .at(.seconds(3)))
    #expect(step.cues.map(\.peer) == ["ann", "ben", "ben", "cat", "cat"])
    #expect(step.cues.first?.verb == .seek(.seconds(65)))
    #expect(step.cues[2].verb == .play(immediately: true))
    #expect(step.expectations.count == 4)
    #expect(step.expectations[0].condition == .paused(at: .seconds(30), tolerance: .seconds(0.5)))
    #expect(step.expectations[1].peers == ["dan"])
    #expect(step.expectations[0].manner == .once(within: .seconds(1.5)))
    #expect(step.expectations[3].manner == .lasting(.seconds(2), within: .seconds(1)))
    #expect(step.expectations[3].condition == .together(within: .milliseconds(40)))
  }

  @Test func `campaigns are those that come along, or are written as in their own files`() throws {
    let rest = "\npeers: {phone: {user: ann}}\nsteps:\n  - {at: 0, see: {phone: sees %}}"
    func read(_ campaigns: String, _ seen: String) throws -> Scenario {
      try self.read(
        "campaigns: " + campaigns + rest.split(separator: "%").joined(separator: seen))
    }
    let shipped = try read("shipped", "promotion")
    #expect(shipped.campaigns?.text == nil)
    #expect(shipped.peers.first?.user == "ann")
    let written = try read("\n- {id: tip, triggers: launch, message: {message: \"# 1\"}}", "tip")
    let text = try #require(written.campaigns?.text)
    let entries = try CampaignReader(file: "campaigns.yaml").read(text)
    #expect(try CampaignSet(entries.map(\.campaign)) == written.campaigns?.set)
  }

  @Test(arguments: [
    ("", 1, "the file is empty"),
    ("peers: [", 2, "this is not valid YAML"),
    ("peers: {ann: }\npeers: {ann: }\nsteps: []", 1, "`peers` appears here and again"),
    ("steps: []", 1, "nobody takes part"),
    ("peers: {ann: }", 1, "nothing happens"),
    ("peers: {ann: }\nsteps: []\nstpes: []", 3, "`stpes` means nothing here"),
    ("peers:\n  all:\nsteps: []", 2, "`all` is not a valid name for a peer"),
    ("peers:\n  ann: {dealy: 5}\nsteps: []", 2, "`dealy` means nothing here"),
    ("peers:\n  ann:\n    delay: soon\nsteps: []", 3, "`soon` is not a delay"),
    ("peers:\n  ann: {skew: -1000000}\nsteps: []", 2, "no clock is off by that much"),
    ("peers:\n  ann: {skew: 1e300}\nsteps: []", 2, "no clock is off by that much"),
    (
      "peers: {ann: }\nsteps:\n  - at: 0\n    ann: play\n    see: {others: playing}", 5,
      "this is about nobody"
    ),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    \" \": play", 4, "this is about nobody"),
    ("peers: {ann: }\nwaiting: never\nsteps: []", 2, "`never` is not a waiting policy"),
    ("peers: {ann: }\nsteps:\n  - ann: play", 3, "the step has no time"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ben: play", 4, "nobody is called `ben`"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ann: sek 30", 4, "there is no verb `sek`"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ann: seek later", 4, "`later` is not a position"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ann: kick ben", 4, "nobody is called `ben`"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ann: item other", 4, "no item is called `other`"),
    (
      "peers: {ann: }\nsteps:\n  - at: 0\n    ann:\n    - play\n    - pause it", 6,
      "`it` is not expected in"
    ),
    (
      "peers: {ann: }\nsteps:\n  - at: 0\n    see:\n      all: plying", 5,
      "there is no condition `plying`"
    ),
    (
      "peers: {ann: {player: mpv}}\nsteps:\n  - at: 0\n    ann: stall 2", 4,
      "ann plays with mpv, which cannot be told to stall"
    ),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    server: fall", 4, "`fall` is not a server action"),
    ("peers: {ann: }\nsteps:\n  - {at: 0, server: start}", 3, "the server is already running"),
    (
      "peers: {ann: }\nsteps:\n  - {at: 0, server: kill}\n  - {at: 1, server: kill}", 4,
      "the server is already stopped"
    ),
    (
      "peers: {ann: }\nsteps:\n  - {at: 0, server: kill}\n  - {at: 1, server: fail over}", 4,
      "the server is already stopped"
    ),
    (
      "peers: {ann: }\nsteps:\n  - {at: 0, server: [kill, start]}\n  - {at: 1, server: fail over}",
      4,
      "no server stands by any more"
    ),
    (
      "peers: {ann: }\nsteps:\n  - {at: 0, server: fail over}\n  - {at: 1, server: fail over}", 4,
      "no server stands by any more"
    ),
    ("campaigns: shiped\npeers: {ann: }\nsteps: []", 1, "these are not campaigns"),
    (
      "peers: {ann: }\nsteps: []\ncampaigns:\n- {id: tip, triggers: lunch, message: {message: Hi}}",
      4, "`lunch` is no trigger"
    ),
    (
      "peers: {ann: }\nsteps: []\ncampaigns:\n- {triggers: launch, message: {message: Hi}}",
      4, "id"
    ),
    (
      "campaigns: shipped\npeers: {ann: }\nsteps:\n  - {at: 0, see: {ann: sees promotoin}}",
      4, "no campaign is called `promotoin`"
    ),
    (
      "peers: {phone: {user: ben}}\nsteps:\n  - at: 0\n    phone: invite phone", 4,
      "no person is called `phone`"
    ),
    (
      "peers: {phone: {user: ben}}\nsteps:\n  - {at: 0, phone: push bne Hi}", 3,
      "no person is called `bne`"
    ),
    (
      "peers: {ann: }\nsteps:\n  - at: 0\n    see: {ann: not invitation ben accepted}", 4,
      "no person is called `ben`"
    ),
    (
      "peers: {ann: }\nsteps:\n  - at: 0\n    see: {ann: invitation ann acepted}", 4,
      "`acepted` is not a state of an invitation"
    ),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ann: subscribe quee", 4, "neither a part"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    ann: reply", 4, "lacks a text"),
    ("peers:\n  server:\nsteps: []", 2, "`server` is not a valid name for a peer"),
    ("peers: {ann: }\nsteps:\n  - at: 0\n    see: {within: 1}", 4, "no condition is given"),
    (
      "peers: {ann: }\nsteps:\n  - at: 0\n    see: {all: ended, for: 1, throughout: 1}", 4,
      "`throughout` cannot be combined with other times"
    ),
  ])
  func `a bad file is refused with its line`(text: String, line: Int, problem: String) throws {
    let error = try #require(flaw(text))
    #expect(error.file == "test.yaml")
    #expect(error.line == line, "\(error)")
    #expect(error.problem.contains(problem), "\(error)")
    #expect(!error.advice.isEmpty)
  }

  @Test func `only who says something to one person needs the administrator's key`() throws {
    let steps = "\nsteps:\n  - {at: 0, ann: "
    let peers = "peers: {ann: , phone: {user: ben}}"
    #expect(try read(peers + steps + "push ben Hello}").needsAdministrator)
    #expect(try !read(peers + steps + "publish group/demo Hello}").needsAdministrator)
  }

  @Test func `a misspelt verb is told what it may have been`() {
    let error = flaw("peers: {ann: }\nsteps:\n  - at: 0\n    ann: sek 30")
    #expect(error?.advice.hasPrefix("did you mean `seek`?") == true)
    #expect(error?.description.hasPrefix("test.yaml:4:10: there is no verb `sek`; did you") == true)
  }
}
