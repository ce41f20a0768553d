import Coordination
import GroupSessions
import Participation
import Signatures
import Testing
import Vocabulary
import Wire

/// A server that asks who somebody is, and clients whose apps prove it.
@Suite struct CredentialTests {
  private let room = GroupID("room")

  private func stage(notice: Duration = .seconds(60)) throws -> ParticipantStage {
    var limits = Limits()
    limits.credentialNotice = notice
    return ParticipantStage(limits: limits, access: try Backend.access())
  }

  @Test func `whoever has a credential comes in, as the device that the server says`() throws {
    var stage = try stage()
    let ann = stage.add("Ann", backend: .signing(for: "Ann"))
    try stage.wait { $0.members[ann].participant.isOnline }
    let hello = try #require(stage.hellos(of: ann).first)
    #expect(hello.device == DeviceID("d-Ann") && hello.credential != nil)
    let device = stage.members[ann].participant.device
    #expect(device != DeviceID("d-Ann"))
    #expect(stage.credentials(of: ann) == [.wanted, .accepted])
    stage.ask(.joinGroup(room), by: ann)
    try stage.wait { $0.members[ann].participant.group != nil }
    #expect(stage.members[ann].participant.group?.members[device]?.name == "Ann")
  }

  @Test func `people whose devices have the same name watch together`() throws {
    var stage = try stage()
    for name in ["Ann", "Bob"] {
      stage.add(name, backend: .signing(for: name)) { $0.device = DeviceID("phone") }
    }
    try stage.gather()
    #expect(stage.members[0].participant.device != stage.members[1].participant.device)
    // The device's own name stands for it.
    stage.ask(.setPreferredDevice(DeviceID("phone")), by: 0, tag: 7)
    try stage.wait { !$0.outcomes(of: 0, tag: 7).isEmpty }
    guard case .answered? = stage.outcomes(of: 0, tag: 7).first else {
      Issue.record("\(stage.outcomes(of: 0, tag: 7))")
      return
    }
    stage.ask(.leaveGroup, by: 0)
    try stage.wait { $0.members[0].participant.group == nil }
  }

  @Test func `a credential is renewed before it expires, on the same connection`() throws {
    var stage = try stage(notice: .seconds(20))
    let ann = stage.add("Ann", backend: .signing(for: "Ann", lifetime: 60))
    try stage.wait { $0.members[ann].participant.isOnline }
    stage.run(for: .seconds(300))
    #expect(stage.members[ann].participant.isOnline)
    #expect(stage.hellos(of: ann).count == 1)
    let renewals = stage.renewals(of: ann)
    #expect((7...10).contains(renewals.count) && Set(renewals).count == renewals.count)
  }

  @Test func `a backend that is away is asked again, and nothing else changes`() throws {
    var stage = try stage(notice: .seconds(20))
    let ann = stage.add("Ann", backend: .signing(for: "Ann", lifetime: 60))
    try stage.wait { $0.members[ann].participant.isOnline }
    stage.members[ann].backend = .away
    stage.run(for: .seconds(50))
    #expect(stage.members[ann].participant.isOnline)
    let failures = stage.credentials(of: ann).count {
      $0 == .failed("the backend is away")
    }
    #expect((5...12).contains(failures))
    stage.members[ann].backend = .signing(for: "Ann", lifetime: 600)
    stage.run(for: .seconds(60))
    #expect(stage.members[ann].participant.isOnline)
    #expect(stage.hellos(of: ann).count == 1)
  }

  @Test func `one that has expired is replaced before the client comes back`() throws {
    var stage = try stage(notice: .seconds(20))
    for name in ["Ann", "Bob"] {
      stage.add(name, backend: .signing(for: name, lifetime: 60))
    }
    try stage.gather()
    let me = stage.members[0].participant.participantID
    stage.members[0].backend = .away
    try stage.wait(atMost: .seconds(70)) { !$0.members[0].participant.isOnline }
    stage.run(for: .seconds(5))
    // It does not come with the old one.
    #expect(stage.hellos(of: 0).count == 1)
    stage.members[0].backend = .signing(for: "Ann")
    try stage.wait { $0.members[0].participant.isOnline }
    stage.run(for: .seconds(1))
    #expect(stage.hellos(of: 0).count == 2)
    #expect(stage.members[0].participant.participantID == me)
    #expect(stage.invalidations(of: 0) == [])
  }

  @Test func `after a refusal a fresh one is tried, and then no more`() throws {
    var stage = try stage()
    let forgers = Backend.signing(for: "Ann", secret: Backend.otherSecret)
    let ann = stage.add("Ann", backend: forgers)
    stage.run(for: .seconds(60))
    guard case .offline(.refused(let error))? = stage.connections(of: ann).last else {
      Issue.record("it goes on trying")
      return
    }
    #expect(error.code == .credentialRefused && error.reason == "signature")
    #expect(stage.hellos(of: ann).count == 2)

    let bob = stage.add("Bob", backend: .signing(for: "Bob", secret: Backend.otherSecret))
    try stage.wait { $0.hellos(of: bob).count == 1 }
    stage.members[bob].backend = .signing(for: "Bob")
    try stage.wait { $0.members[bob].participant.isOnline }
    #expect(stage.hellos(of: bob).count == 2)
    #expect(stage.credentials(of: bob).count { $0 == .wanted } == 2)
    #expect(stage.credentials(of: bob).last == .accepted)
  }

  @Test func `one that was refused is not shown again`() throws {
    var stage = try stage()
    let forged = try Backend.token(for: "Ann", at: stage.wallTime, secret: Backend.otherSecret)
    let ann = stage.add("Ann", backend: .constant(forged))
    stage.run(for: .seconds(60))
    guard case .offline(.refused(let error))? = stage.connections(of: ann).last else {
      Issue.record("it goes on trying")
      return
    }
    #expect(error.code == .credentialRefused)
    #expect(stage.hellos(of: ann).count == 1)
  }

  @Test func `an app without credentials is told what is wanted, once`() throws {
    var stage = try stage()
    let ann = stage.add("Ann")
    let token = try Backend.token(for: "Bob", at: stage.wallTime, lifetime: 30)
    let bob = stage.add("Bob") { $0.credential = token }
    try stage.wait { $0.members[bob].participant.isOnline }
    stage.run(for: .seconds(120))
    #expect(stage.connections(of: ann).last?.code == .credentialRequired)
    #expect(stage.connections(of: bob).last?.code == .credentialExpired)
    #expect(stage.hellos(of: ann).count == 1 && stage.hellos(of: bob).count == 1)
    #expect(stage.credentials(of: ann) == [] && stage.credentials(of: bob) == [])
  }

  @Test func `an app that does not answer is asked again`() throws {
    var stage = try stage()
    let ann = stage.add("Ann") { $0.givesCredentials = true }
    stage.run(for: .seconds(100))
    #expect(
      Array(stage.credentials(of: ann).prefix(3)) == [
        .wanted, .failed("the app gave no credential in time"), .wanted,
      ])
    #expect(stage.hellos(of: ann).isEmpty)
    // Late is not too late.
    stage.feed(.credential(try Backend.token(for: "Ann", at: stage.wallTime)), to: ann)
    try stage.wait { $0.members[ann].participant.isOnline }
  }

  @Test func `what cannot be a credential is not shown`() throws {
    var stage = try stage()
    let ann = stage.add("Ann", backend: .constant(""))
    stage.run(for: .seconds(5))
    let long = String(repeating: "x", count: 8 * 1024 + 1)
    stage.members[ann].backend = .constant(long)
    stage.run(for: .seconds(30))
    #expect(stage.hellos(of: ann).isEmpty)
    #expect(stage.credentials(of: ann).last != nil)
    #expect(stage.connections(of: ann).last == .connecting("a credential has 1 to 8192 bytes"))
    stage.members[ann].backend = .signing(for: "Ann")
    try stage.wait { $0.members[ann].participant.isOnline }
  }

  @Test func `an app that gives the same one again is asked with growing pauses`() throws {
    var stage = try stage(notice: .seconds(50))
    let token = try Backend.token(for: "Ann", at: stage.wallTime, lifetime: 60)
    let ann = stage.add("Ann", backend: .constant(token))
    try stage.wait { $0.members[ann].participant.isOnline }
    stage.run(for: .seconds(58))
    #expect(stage.members[ann].participant.isOnline)
    #expect(stage.renewals(of: ann).isEmpty)
    #expect((6...16).contains(stage.credentials(of: ann).count { $0 == .wanted }))
    stage.run(for: .seconds(60))
    #expect(stage.hellos(of: ann).count == 1)
  }

  @Test func `an app that gives the same credential while it is good has no problem`() throws {
    var stage = try stage(notice: .seconds(60))
    let token = try Backend.token(for: "Ann", at: stage.wallTime, lifetime: 50)
    let ann = stage.add("Ann", backend: .constant(token))
    try stage.wait { $0.members[ann].participant.isOnline }
    stage.run(for: .seconds(20))
    let states = stage.credentials(of: ann)
    #expect(states.count { $0 == .wanted } > 1)
    #expect(states.allSatisfy { $0 == .wanted || $0 == .accepted })
  }

  @Test func `credentials shorter than the notice are renewed with growing pauses`() throws {
    var stage = try stage(notice: .seconds(60))
    let ann = stage.add("Ann", backend: .signing(for: "Ann", lifetime: 30))
    try stage.wait { $0.members[ann].participant.isOnline }
    stage.run(for: .seconds(60))
    #expect(stage.members[ann].participant.isOnline && stage.hellos(of: ann).count == 1)
    #expect((6...30).contains(stage.renewals(of: ann).count))
  }

  @Test func `a renewal that is refused costs no connection that is still entitled`() throws {
    var stage = try stage(notice: .seconds(20))
    let ann = stage.add("Ann", backend: .signing(for: "Ann", lifetime: 60))
    try stage.wait { $0.members[ann].participant.isOnline }
    stage.members[ann].backend = .signing(for: "Bob", lifetime: 60)
    stage.run(for: .seconds(55))
    #expect(stage.members[ann].participant.isOnline)
    #expect(stage.renewals(of: ann).count == 2)
    // At its end the client goes, and says why.
    stage.run(for: .seconds(30))
    #expect(stage.connections(of: ann).last?.code == .credentialRefused)
    #expect(stage.hellos(of: ann).count == 2)
  }

  @Test func `whom a new credential no longer lets into the group is out of it`() throws {
    var stage = try stage(notice: .seconds(20))
    for name in ["Ann", "Bob"] {
      stage.add(name, backend: .signing(for: name, lifetime: 60))
    }
    try stage.gather()
    stage.members[0].backend = .signing(for: "Ann", groups: ["elsewhere"])
    try stage.wait(atMost: .seconds(60)) { $0.members[0].participant.group == nil }
    #expect(stage.members[0].participant.isOnline)
    #expect(stage.members[0].participant.session == nil)
  }

  @Test func `an open server is not bothered with new credentials`() throws {
    var stage = ParticipantStage()
    let ann = stage.add("Ann", backend: .signing(for: "Ann"))
    try stage.wait { $0.members[ann].participant.isOnline }
    #expect(stage.members[ann].participant.device == DeviceID("d-Ann"))
    let other = try Backend.token(for: "Ann", at: stage.wallTime, lifetime: 7_200)
    stage.feed(.credential(other), to: ann)
    stage.run(for: .seconds(5))
    #expect(stage.renewals(of: ann).isEmpty)
    stage.cut(ann)
    try stage.wait { $0.hellos(of: ann).count == 2 }
    #expect(stage.hellos(of: ann).last?.credential == other)
    #expect(stage.credentials(of: ann).count { $0 == .wanted } == 1)
  }
}
