import Coordination
import GroupSessions
import Naming
import Signatures
import Testing
import Vocabulary
import Wire

/// Who gets addresses of the server's media, and how long these are good for.
@Suite struct MediaTests {
  private var stage: Stage
  private let film = "/media/film.mp4"

  init() throws {
    let key = try #require(InvitationKey(bytes: Array(0..<32)))
    stage = Stage(mediaSigner: MediaSigner(key: key))
    try stage.gather(["ann", "bob"])
  }

  private mutating func address(_ request: Request, for device: DeviceID) throws -> String {
    guard case .media(let address, _) = try stage.ask(device, request) else {
      throw ProtocolError(.noMedia)
    }
    return address
  }

  private func path(of address: String) -> String? {
    stage.coordinator.mediaPath(of: address, at: stage.now)
  }

  @Test mutating func `a participant opens a media while the session lives`() throws {
    let session = try stage.activate("ann")
    try stage.join("ann", session)
    let address = try address(.openMedia(url: film), for: "ann")
    #expect(address.hasPrefix("/media/\(session)."))
    #expect(path(of: address) == "film.mp4")
    #expect(path(of: "/media/\(session).x/film.mp4") == nil)
    #expect(try stage.refusal("bob", .openMedia(url: film)).code == .notJoined)
    try stage.ask("ann", .end(nil))
    #expect(path(of: address) == nil)
  }

  @Test mutating func `who is banned gets no address by asking to join again`() throws {
    let session = try stage.activate("ann")
    try stage.join("ann", session)
    let bob = try stage.join("bob", session)
    try stage.ask("ann", .remove(nil, bob, isBanned: true))
    stage.isHeld = true
    stage.post(.join(session, handoffFrom: nil), from: "bob")
    #expect(try stage.refusal("bob", .openMedia(url: film)).code == .notJoined)
  }

  @Test mutating func `who is banned fetches nothing any more, and the others go on`() throws {
    let session = try stage.activate("ann")
    try stage.join("ann", session)
    let bob = try stage.join("bob", session)
    let addresses = try ["ann", "bob"].map { try address(.openMedia(url: film), for: $0) }
    try stage.ask("ann", .remove(nil, bob, isBanned: true))
    #expect(addresses.map { path(of: $0) } == ["film.mp4", nil])
  }

  @Test func `who is removed from the group for good fetches nothing any more`() throws {
    let key = try #require(InvitationKey(bytes: Array(0..<32)))
    var door = try KeyedDoor(mediaSigner: MediaSigner(key: key))
    try door.found()
    try door.enter("bob")
    let session = try door.stage.activate("ann")
    for device in ["ann", "bob"] as [DeviceID] { try door.stage.join(device, session) }
    guard case .media(let address, _) = try door.stage.ask("bob", .openMedia(url: film)) else {
      throw ProtocolError(.noMedia)
    }
    #expect(door.stage.coordinator.mediaPath(of: address, at: door.stage.now) == "film.mp4")
    try door.stage.ask("ann", .removeUser("bob"))
    #expect(door.stage.coordinator.mediaPath(of: address, at: door.stage.now) == nil)
  }

  @Test(arguments: [MediaDoor.origin("https://a.example"), .port(80, isEncrypted: false), nil])
  mutating func `a participant hears at which door the media is`(door: MediaDoor?) throws {
    if let door { stage.handle(.mediaDoor(door)) }
    try stage.join("ann", try stage.activate("ann"))
    guard case .media(_, let told) = try stage.ask("ann", .openMedia(url: film)) else {
      throw ProtocolError(.noMedia)
    }
    #expect(told == door)
  }

  @Test mutating func `a member lists what there is, within a minute`() throws {
    let address = try address(.listMedia, for: "bob")
    #expect(path(of: address) == "")
    stage.advance(Limits().mediaListTime)
    #expect(path(of: address) == nil)
    try stage.gather(["eve"], in: "other")
    try stage.ask("eve", .leaveGroup)
    #expect(try stage.refusal("eve", .listMedia).code == .notInGroup)
  }

  @Test mutating func `only the server's own media are opened`() throws {
    try stage.join("ann", try stage.activate("ann"))
    for url in ["https://example.com/film.mp4", MediaSigner.root] {
      let refusal = try stage.refusal("ann", .openMedia(url: url))
      #expect(refusal.code == .invalidField && refusal.field == "url")
    }
  }

  @Test func `without media there is nothing to list or open`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    #expect(try stage.refusal("ann", .listMedia).code == .noMedia)
    try stage.join("ann", try stage.activate("ann"))
    #expect(try stage.refusal("ann", .openMedia(url: film)).code == .noMedia)
  }
}
