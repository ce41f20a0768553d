import CampaignFiles
package import InAppMessaging
import Playback
import Vocabulary
package import YAML

/// Reads scenario files.
package struct ScenarioReader {
  private let file: String

  /// Makes a reader; its errors name this file.
  package init(file: String) {
    self.file = file
  }

  /// Reads a scenario.
  ///
  /// - Throws: an error with the file, the line, what is wrong, and what to write instead.
  package func read(_ text: String) throws(FileError) -> Scenario {
    let root = try FileNode(
      composing: text, file: file, ifEmpty: "add `peers:` and `steps:`")
    let fields = try root.fields(
      [
        "name", "about", "group", "items", "waiting", "places", "campaigns", "peers", "steps",
      ])
    guard let peersNode = fields["peers"] else {
      throw root.error("nobody takes part", "add `peers:` with a name each, such as `ann: {}`")
    }
    guard let stepsNode = fields["steps"] else {
      throw root.error("nothing happens", "add `steps:`, each with `at:` and what someone does")
    }
    let peers = try readPeers(peersNode)
    let items = try fields["items"].map(readItems) ?? [ScenarioItem()]
    let campaigns = try fields["campaigns"].map(readCampaigns)
    let cast = StepReader(
      names: peers.map(\.name), people: Set(peers.map(\.person)).sorted(),
      items: items.map(\.name), campaigns: campaigns?.names ?? [],
      withRealPlayers: Set(peers.filter { $0.player == .mpv }.map(\.name)))
    var steps: [ScenarioStep] = []
    var plan = ServerPlan()
    for node in try stepsNode.elements("steps") {
      let step = try cast.read(node)
      for verb in step.server { try plan.take(verb, in: node) }
      steps.append(step)
    }
    return Scenario(
      name: try fields["name"]?.text("a name") ?? file,
      about: try fields["about"]?.text("a sentence") ?? "",
      group: try fields["group"]?.text("a group's name") ?? "demo", items: items,
      waiting: try fields["waiting"]?.choice("a waiting policy") ?? .keepGoing,
      namedPlaces: try fields["places"].map(readPlaces), campaigns: campaigns, peers: peers,
      steps: steps)
  }

  private func readPlaces(_ node: FileNode) throws(FileError) -> Int {
    guard let places = Int(try node.text("a number of places")), places > 0 else {
      throw node.error("this is not a number of places", "write how many there are, such as 2")
    }
    return places
  }

  // MARK: Items

  /// Reads items: a name with its duration in seconds, or with several fields.
  private func readItems(_ node: FileNode) throws(FileError) -> [ScenarioItem] {
    var items: [ScenarioItem] = []
    for (name, value) in try node.pairs("items") {
      let key = try name.text("an item's name")
      guard value.isMapping else {
        items.append(ScenarioItem(name: key, duration: try value.duration("an item's length")))
        continue
      }
      let fields = try value.fields(["seconds", "advertisements", "url", "video"])
      items.append(
        ScenarioItem(
          name: key, duration: try fields["seconds"]?.duration("a length") ?? .seconds(3600),
          interstitials: try fields["advertisements"].map(readInterstitials) ?? Interstitials(),
          url: try fields["url"]?.text("a URL or a path"),
          isMade: try fields["video"]?.choice("a video", Video.self) == .made))
    }
    guard !items.isEmpty else {
      throw node.error("`items:` is empty", "leave it out, or write `film: 60`")
    }
    return items
  }

  /// Reads ranges such as `20-30 50-60`, in seconds of the item.
  private func readInterstitials(_ node: FileNode) throws(FileError) -> Interstitials {
    let words = try node.text("the advertisements").split(separator: " ")
    let ranges = words.compactMap { word -> InterstitialRange? in
      let ends = word.split(separator: "-").compactMap { Double($0) }
      guard ends.count == 2 else { return nil }
      return InterstitialRange(start: .seconds(ends[0]), end: .seconds(ends[1]))
    }
    guard ranges.count == words.count, let interstitials = Interstitials(ranges) else {
      throw node.error(
        "these are not valid advertisements",
        "write ranges in seconds in ascending order, such as `20-30 50-60`")
    }
    return interstitials
  }

  private enum Video: String, CaseIterable { case made }

  // MARK: Peers

  private func readPeers(_ node: FileNode) throws(FileError) -> [ScenarioPeer] {
    var peers: [ScenarioPeer] = []
    for (key, value) in try node.pairs("peers") {
      let name = try key.text("a name")
      guard name.allSatisfy({ $0.isLetter || $0.isNumber }), !StepReader.reserved.contains(name)
      else {
        throw key.error(
          "`\(name)` is not a valid name for a peer",
          "use letters and digits, and none of \(StepReader.reserved.joined(separator: ", "))")
      }
      peers.append(try readPeer(name, value))
    }
    guard !peers.isEmpty else {
      throw node.error("nobody takes part", "name somebody, such as `ann: {}`")
    }
    return peers
  }

  private func readPeer(_ name: String, _ node: FileNode) throws(FileError) -> ScenarioPeer {
    guard !node.isEmpty else { return ScenarioPeer(name: name) }
    let fields = try node.fields(["user", "delay", "jitter", "player", "clock", "skew"])
    var network = NetworkConditions()
    if let delay = fields["delay"] { network.delay = try delay.duration("a delay") }
    if let jitter = fields["jitter"] { network.jitter = try jitter.duration("a jitter") }
    return ScenarioPeer(
      name: name, user: try fields["user"]?.text("a person's name"), network: network,
      player: try fields["player"]?.choice("a player") ?? .simulated,
      clockOffset: try fields["clock"]?.duration("a clock's offset") ?? .zero,
      clockSkew: try fields["skew"].map(readSkew) ?? 0)
  }

  private func readSkew(_ node: FileNode) throws(FileError) -> Double {
    let skew = try node.number("parts per million")
    // A clock must go forward; real ones are off by some hundred parts per million at most.
    guard abs(skew) <= 10_000 else {
      throw node.error(
        "no clock is off by that much", "write -10000 to 10000 parts per million, such as 50")
    }
    return skew
  }
}

extension ScenarioReader {
  /// Reads the word `shipped`, or a list of campaigns as in campaign files.
  func readCampaigns(_ node: FileNode) throws(FileError) -> ScenarioCampaigns {
    do throws(CampaignFilesError) {
      guard node.isSequence else {
        guard node.scalar == CampaignSource.shippedName else {
          throw .refused([
            node.error("these are not campaigns", "write `shipped`, or a list of campaigns")
          ])
        }
        return try campaigns(CampaignSource.shipped.read(), in: node)
      }
      let entries = try CampaignReader(file: node.file).read(node)
      return try campaigns(entries, in: node, isWritten: true)
    } catch {
      // A scenario's errors are reported one at a time.
      if case .refused(let errors) = error, let first = errors.first { throw first }
      throw node.error("the campaigns cannot be read", "write `shipped`, or a list of campaigns")
    }
  }

  private func campaigns(
    _ entries: [CampaignEntry], in node: FileNode, isWritten: Bool = false
  ) throws(CampaignFilesError) -> ScenarioCampaigns {
    do {
      let set = try CampaignSet(entries.map(\.campaign))
      return ScenarioCampaigns(
        set: set, text: isWritten ? try "campaigns:\n" + node.document() : nil)
    } catch let error as FileError {
      throw .refused([error])
    } catch {
      throw .refused([node.error("\(error)", "correct it in that campaign")])
    }
  }
}

/// The campaigns of a scenario's server.
package struct ScenarioCampaigns: Equatable, Sendable {
  /// The campaigns for a coordinator.
  package let set: CampaignSet
  /// The contents of a campaign file; `nil` for the campaigns that come with Matinee.
  package let text: String?

  var names: [String] { self.set.campaigns.map(\.id.text) }
}

extension FileNode {
  /// A duration in the notation of phrases.
  func duration(_ what: String) throws(FileError) -> Duration {
    let text = try text(what)
    return try reading { () throws(PhraseError) in
      var words = try Words(text)
      let duration = try words.duration(what)
      try words.finish()
      return duration
    }
  }
}

/// Checks that what is done to the server is possible, one action after the other.
private struct ServerPlan {
  private var isUp = true
  /// A killed server, too, is taken over from, so that nobody stands by after that.
  private var isOneStandingBy = true

  mutating func take(_ verb: ServerVerb, in node: FileNode) throws(FileError) {
    guard isUp == (verb != .start) else {
      throw node.error(
        isUp ? "the server is already running" : "the server is already stopped",
        "alternate `server: kill` and `server: start`, beginning with `kill`")
    }
    if verb == .failOver {
      guard isOneStandingBy else {
        throw node.error(
          "no server stands by any more",
          "write `server: fail over` once, and before any `server: kill`")
      }
    } else {
      isUp.toggle()
    }
    isOneStandingBy = false
  }
}
