import ArgumentParser
import MatineeClient
import Testing
import Vocabulary

@testable import matinee

/// Where a group is, as people say it.
@Suite struct GroupPlaceTests {
  private static let key = String(repeating: "0", count: 26)

  @Test func `options name the standard server, or another one in any case of letters`() throws {
    let place = try GroupPlace(server: nil, group: "friday")
    #expect(
      "\(place.endpoint)" == "127.0.0.1:7878" && place.group.text == "friday" && place.key == nil)
    let other = try GroupPlace(server: "Host.Example", group: "friday")
    #expect("\(other.endpoint)" == "host.example:7878")
  }

  @Test func `a link names everything, and a founding link all but the group`() throws {
    let link = "MATINEE+plain://Host:1/a%20b#\(Self.key)"
    #expect(GroupLink.isLink(link) && !GroupLink.isLink("film.mp4"))
    let place = try GroupPlace(link: link, group: nil)
    #expect("\(place.endpoint)" == "host:1" && place.group.text == "a b" && place.key == Self.key)
    let new = try GroupPlace(link: "matinee+plain://host:1/#\(Self.key)", group: "g")
    #expect(new.group.text == "g" && new.key == Self.key)
  }

  @Test func `a link that is none is told without its key`() {
    let texts = [
      "matinee+plain://ho st/g#\(Self.key)", "matinee://host/g#\(Self.key).x",
      "matinee+plain://host/#\(Self.key)",
    ]
    for text in texts {
      let error = #expect(throws: ValidationError.self) {
        try GroupPlace(link: text, group: nil)
      }
      #expect(error?.message.contains(Self.key) == false)
    }
  }

  @Test(arguments: [
    ("friday", "friday"), ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("zoë", "'zoë'"),
    ("[::1]:1", "'[::1]:1'"), ("$HOME", "'$HOME'"),
  ])
  func `a word for a shell is quoted where it must be`(text: String, word: String) {
    #expect(text.shellWord == word)
  }

  @Test func `commands to type have what differs from the standard`() throws {
    let near = try GroupPlace(server: nil, group: "friday")
    #expect(near.invitingCommand(as: "Ann") == "matinee invite friday --as Ann")
    let far = try GroupPlace(server: "[::1]:1", group: "my friends")
    #expect(
      far.invitingCommand(as: "Ann B")
        == "matinee invite 'my friends' --server '[::1]:1' --as 'Ann B'")
    let plain = try SecurityArguments.parse(["--plaintext"]).security(of: far.endpoint)
    #expect(
      far.endpoint.pairingCommand("12345678", as: "Ann", plain)
        == "matinee pair 12345678 --server '[::1]:1' --as Ann")
    let print = String(repeating: "A", count: 43)
    let secured = try SecurityArguments.parse(["--tls-fingerprint", print])
      .security(of: Endpoint(host: "host", port: 1))
    #expect(
      Endpoint(host: "host", port: 1).pairingCommand("12345678", as: "Ann", secured)
        == "matinee pair 12345678 --server host:1 --as Ann --tls-fingerprint \(print)")
  }

  @Test(arguments: [
    ("invite", KeyVerb.link), ("invite ben", nil), ("remove Ann B", .remove("Ann B")),
    ("remove", nil), ("rekey", .changeKey), ("rekey now", nil), ("pair", .pair),
    ("pair yes", .answerPairing(true)), ("pair no", .answerPairing(false)), ("pair maybe", nil),
  ])
  func `verbs about keys are read, and others are left to others`(phrase: String, verb: KeyVerb?) {
    #expect(KeyVerb(phrase) == verb)
  }
}
