import Coordination
import GroupSessions
import Participation
import Playback
import Signatures
import Testing
import Vocabulary
import Wire

/// Media that the server itself has: the player opens them where the server says.
@Suite struct ServerMediaTests {
  private static let film = activity("/media/Films/Sintel.mp4")

  private static func activity(
    _ url: String, size: Int64? = nil
  ) -> GroupSessions.GroupActivity {
    GroupSessions.GroupActivity(
      type: "watch", payload: JSONText(validated: "{}"),
      metadata: GroupActivityMetadata(title: "Film"),
      media: MediaItem(url: url, size: size.map { .bytes($0) }))
  }

  /// Two people at a server with media.
  private func stage(at door: MediaDoor?) throws -> ParticipantStage {
    let key = try #require(InvitationKey(bytes: Array(0..<32)))
    var stage = ParticipantStage(mediaSigner: MediaSigner(key: key))
    if let door { stage.serve(.mediaDoor(door)) }
    for name in ["Ann", "Bob"] { stage.add(name) { $0.host = "watch.lan" } }
    return stage
  }

  @Test(arguments: [
    (MediaDoor.origin("https://watch.example"), "https://watch.example/media/s-"),
    (.port(8080, isEncrypted: false), "http://watch.lan:8080/media/s-"),
    (.port(443, isEncrypted: true), "https://watch.lan:443/media/s-"),
  ])
  func `players open it at the server's door, and play together`(
    door: MediaDoor, beginning: String
  ) throws {
    var stage = try stage(at: door)
    try stage.gather(for: Self.film)
    for member in 0...1 {
      let urls = stage.loaded(by: member)
      #expect(urls.count == 1)
      #expect(urls.allSatisfy { $0.hasPrefix(beginning) && $0.hasSuffix("/Films/Sintel.mp4") })
    }
    stage.ask(.playback(nil, .play(ItemID("/media/Films/Sintel.mp4"))), by: 0)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
  }

  @Test func `without a door the player cannot open it, and steps out`() throws {
    var stage = try stage(at: nil)
    try stage.gather(for: Self.film, opens: false)
    try stage.wait { $0.members[1].participant.session?.playback.participants.isEmpty == false }
    #expect(stage.loaded(by: 1) == [])
    try stage.wait { stage in
      stage.updates(of: 1).contains {
        if case .roster(.changed) = $0 { true } else { false }
      }
    }
    let bob = try #require(stage.members[1].participant.participantID)
    let reasons = stage.members[0].participant.session?.playback.participants[bob]?.suspensions
    #expect(reasons?.map(\.reason) == [.coordinatedPlaybackNotPossible])
  }

  @Test func `an address that comes after the group went on to something else is not opened`()
    throws
  {
    var stage = try stage(at: .port(8080, isEncrypted: false))
    try stage.gather(for: Self.activity("https://example.com/first.mp4"))
    stage.ask(.setActivity(nil, Self.film, ifRevision: nil), by: 0)
    stage.ask(
      .setActivity(nil, Self.activity("https://example.com/last.mp4"), ifRevision: nil), by: 0)
    stage.run(for: .seconds(2))
    #expect(
      stage.loaded(by: 1) == ["https://example.com/first.mp4", "https://example.com/last.mp4"])
    #expect(stage.requests(of: 1).contains(.openMedia(url: "/media/Films/Sintel.mp4")))
  }

  @Test func `the next session with the same film opens it at an address of its own`() throws {
    var stage = try stage(at: .port(8080, isEncrypted: false))
    try stage.gather(for: Self.film)
    stage.ask(.end(nil), by: 0)
    try stage.wait { $0.members.allSatisfy { $0.participant.session == nil } }
    stage.ask(.activate(Activation(Self.film)), by: 0)
    try stage.joinAll()
    for member in 0...1 {
      let urls = stage.loaded(by: member)
      #expect(urls.count == 2 && Set(urls).count == 2, "\(urls)")
    }
  }

  @Test(arguments: [false, true])
  func `the next session with the same film opens it anew if its player has shown another`(
    hasWatchedAlone: Bool
  ) throws {
    var stage = try stage(at: nil)
    try stage.gather()
    stage.ask(.end(nil), by: 0)
    try stage.wait { $0.members.allSatisfy { $0.participant.session == nil } }
    if hasWatchedAlone { stage.feed(.openedAlone, to: 1) }
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.joinAll()
    #expect(stage.loaded(by: 1).count == (hasWatchedAlone ? 2 : 1))
  }

  @Test(arguments: [(5, 0), (nil, 0), (6, 1)])
  func `the next session opens another file of the same name`(size: Int64?, opened: Int) throws {
    var stage = try stage(at: nil)
    try stage.gather(for: Self.activity("01.mkv", size: 5))
    stage.ask(.end(nil), by: 0)
    try stage.wait { $0.members.allSatisfy { $0.participant.session == nil } }
    stage.ask(.activate(Activation(Self.activity("01.mkv", size: size))), by: 0)
    try stage.joinAll()
    #expect(stage.loaded(by: 1).count == 1 + opened)
  }

  @Test(arguments: [
    (MediaDoor.origin("file:///"), "/media/film.mp4"), (.origin(""), "/media/film.mp4"),
    (.origin("https://a.example"), "@evil.example/media/film.mp4"),
    (.port(80, isEncrypted: false), "1/film.mp4"),
  ])
  func `a server leads players nowhere but to its media by http`(door: MediaDoor, address: String) {
    #expect(door.url(of: address, on: "watch.lan") == nil)
  }

  @Test func `a client knows the server's media by what the server writes`() {
    #expect(MediaDoor.root == MediaSigner.root)
  }

  @Test func `an IPv6 host is written in brackets`() {
    let door = MediaDoor.port(8080, isEncrypted: false)
    #expect(door.url(of: "/media/x", on: "::1") == "http://[::1]:8080/media/x")
  }
}

extension ParticipantStage {
  /// The URLs that a member's player was to open.
  fileprivate func loaded(by member: Int) -> [String] {
    members[member].orders.compactMap {
      if case .load(let media, _) = $0.order { media.url } else { nil }
    }
  }
}
