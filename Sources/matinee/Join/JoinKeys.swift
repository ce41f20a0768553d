import MatineeClient

/// Tells a person of the group's key, and carries out their verbs about it and their devices.
///
/// The key itself is printed only when the person asks for the link.
@MainActor
final class JoinKeys {
  /// Called when the group's door is shut to the person.
  var onTurnedAway: (@MainActor () -> Void)?
  private let client: GroupWatchClient
  private let wishes: JoinConsole.Wishes
  private let voice: JoinVoice
  /// The group's key, since the person was let in.
  private var key: String?
  /// Whether the person is in the group, as far as they were told.
  private var isInside = false
  /// Whether the group has let the person in.
  private(set) var wasLetIn = false
  /// Whether the person leaves or closes the group.
  private var isLeaving = false

  private var place: GroupPlace { wishes.place }

  /// The group that the person is in, or is about to be in for the first time; `nil` for none.
  var group: GroupID? {
    client.groupState.group.current?.id ?? (wasLetIn ? nil : place.group)
  }

  init(_ client: GroupWatchClient, _ wishes: JoinConsole.Wishes, _ voice: JoinVoice) {
    self.client = client
    self.wishes = wishes
    self.voice = voice
  }

  // MARK: Entering

  /// Joins the group, with the key of the link if there is one.
  func enter() async throws {
    isLeaving = false
    try await client.joinGroup(place.group, key: place.key)
    wasLetIn = true
  }

  /// Joins the group for the first time; a shut door ends the visit.
  func enterFirst() {
    voice.begin()
    voice.attempt {
      do {
        try await self.enter()
      } catch let error as GroupWatchError where error.code.isShutDoor {
        self.turnAway(error)
      }
    }
  }

  /// Notes that the person leaves or closes the group.
  func noteLeaving() { isLeaving = true }

  private func turnAway(_ error: GroupWatchError) {
    voice.say("that did not work: \(error.text(hasToken: wishes.hasToken))")
    onTurnedAway?()
  }

  // MARK: What the client says

  func note(_ key: String?) {
    guard let key, key != self.key else { return }
    let isFirst = self.key == nil
    self.key = key
    voice.say(
      isFirst
        ? "invite others with: \(place.invitingCommand(as: wishes.name))"
        : "the group has a new key; its older links let nobody in")
  }

  func note(_ group: GroupSummary?) {
    let wasInside = isInside
    isInside = group?.id == place.group
    guard wasInside, group == nil, key != nil, !isLeaving else { return }
    // Only the group can tell whether the person was removed, or it was closed.
    voice.attempt {
      do {
        try await self.client.joinGroup(self.place.group)
      } catch let error as GroupWatchError where error.code == .removed {
        self.turnAway(error)
      } catch let error as GroupWatchError where error.code == .keyRequired {
        self.voice.say("the group is over")
      }
    }
  }

  func hear(pairingOf device: String?) {
    guard let device else { return }
    voice.say("a device named “\(device)” shows your code: type pair yes or pair no")
  }

  // MARK: Verbs

  func obey(_ verb: KeyVerb) {
    voice.begin()
    voice.attempt { try await self.carryOut(verb) }
  }

  private func carryOut(_ verb: KeyVerb) async throws {
    switch verb {
    case .link: try tellLink()
    case .remove(let name): try await remove(name)
    case .changeKey: try await client.changeGroupKey()
    case .pair:
      let code = try await client.pairDevice()
      voice.say("the code is \(code.text); type on the other device:")
      let command = place.endpoint.pairingCommand(code.text, as: wishes.name, wishes.security)
      voice.say("  \(command)")
    case .answerPairing(let isConfirmed):
      try await client.confirmPairing(isConfirmed)
      voice.say(isConfirmed ? "the device is let in" : "the device stays out")
    }
  }

  private func tellLink() throws {
    guard let key = client.groupState.key.current else {
      return voice.say("the group has no key: whoever reaches the server may join it")
    }
    voice.say(try place.link(with: key, wishes.security.security).text)
  }

  /// Removes the person with this name; somebody who is not here is named as their app names them.
  private func remove(_ name: String) async throws {
    let members = client.groupState.group.current?.members ?? []
    let users = Set(members.filter { $0.name == name || $0.user.text == name }.map(\.user))
    guard users.count < 2 else {
      let names = users.map(\.text).sorted().joined(separator: ", ")
      return voice.say("several people are called \(name); name one of: \(names)")
    }
    try await client.removeFromGroup(users.first ?? UserID(name))
    voice.say("\(name) is removed for good")
  }
}

extension Endpoint {
  /// The command with which another device of a person comes in.
  func pairingCommand(_ code: String, as name: String, _ security: ServerSecurity) -> String {
    "matinee pair \(code)\(optionText) --as \(name.shellWord)\(security.optionText)"
  }
}

extension GroupWatchError.Code {
  /// Whether a joining fails for good with this code.
  fileprivate var isShutDoor: Bool {
    [
      .keyRequired, .keyRefused, .credentialRefused, .held, .removed, .namesFull, .tooManyGuesses,
    ].contains(self)
  }
}

/// A verb about the group's key and the person's devices.
enum KeyVerb: Equatable {
  /// Prints the link that lets others in.
  case link
  /// Removes a person for good.
  case remove(String)
  /// Gives the group another key.
  case changeKey
  /// Makes a code for another device.
  case pair
  /// Lets the device in that shows the code, or does not.
  case answerPairing(Bool)

  /// The syntax of each verb.
  static let forms = ["invite", "remove NAME", "rekey", "pair [yes|no]"]

  /// Parses a verb; `nil` if the phrase is none of these.
  ///
  /// Invitations of people by name are other verbs.
  init?(_ phrase: String) {
    let words = phrase.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("invite", nil): self = .link
    case ("remove", let name?): self = .remove(name)
    case ("rekey", nil): self = .changeKey
    case ("pair", nil): self = .pair
    case ("pair", "yes"): self = .answerPairing(true)
    case ("pair", "no"): self = .answerPairing(false)
    default: return nil
    }
  }
}
