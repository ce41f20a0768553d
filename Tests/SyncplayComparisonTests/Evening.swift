import ClipTesting
import FolderTesting
import LoopTesting
import ProgramTesting
import Scenarios
import SyncplayComparison
import Testing
import Vocabulary

/// An evening of real clients at Matinee, of which Syncplay's encrypt.
///
/// Two come with Syncplay, one late with Syncplay over a poor network, and one by `matinee join`. Each
/// part ends when all have seen what was to be seen, however long that takes.
struct Evening {
  let theatre: Theatre
  let ann: SyncplayClientProcess
  let bob: SyncplayClientProcess
  /// By `matinee join`.
  let nat: NativeClientProcess
  private let files: ScratchFolder

  static let password = "open sesame"
  private static let farPlace = MediaTime.seconds(100)

  init(_ test: TestLoop) throws {
    files = try ScratchFolder()
    let certificate = try TestCertificate(in: files, on: test)
    theatre = try Theatre(
      test, at: .matinee, password: Self.password, salt: "testsalt12", certificate: certificate)
    ann = try theatre.enter("ann", password: Self.password)
    try theatre.waitForWords("Secure connection established (TLSv1.3)", of: ann)
    bob = try theatre.enter("bob", password: Self.password)
    nat = try theatre.join("nat")
  }

  private var stage: SyncplayStage { theatre.stage }
  private var everybody: [any StagedClient] { stage.everybody.filter { !$0.hasEnded } }

  // MARK: Talking

  func meet() throws {
    try theatre.insist {
      bob.say("list")
    } until: { [bob] in
      list(bob).contains("<nat> is playing") && list(bob).contains("<ann> is playing")
    }
  }

  func chat() throws {
    try theatre.insist { [ann] in
      ann.chat("good evening")
    } until: { [bob, nat] in
      bob.words.contains("<ann> good evening")
        && nat.words.contains("ann: good evening")
    }
    try theatre.insist {
      nat.say("say with salt")
    } until: { [ann, bob] in
      [ann, bob].allSatisfy { $0.words.contains("<nat> with salt") }
    }
  }

  func getReady() throws {
    for isReady in [false, true] {
      ann.toggleReady()
      try theatre.insist { [bob] in
        bob.say("list")
      } until: { [bob] in
        let list = list(bob)
        return list.contains("<ann> is playing") && list.contains("(Ready) <ann>") == isReady
      }
    }
    try theatre.insist {
      nat.say("who")
    } until: {
      people(nat).contains(#/ann +guest +[^\n]*, ready\n/#)
    }
    #expect(!people(nat).contains("host"), "the room's keeper is nobody")
    for isReady in [true, false] {
      try theatre.insist { [bob] in
        nat.say(isReady ? "ready" : "unready")
        bob.say("list")
      } until: { [bob] in
        list(bob).contains("<nat> is playing") && list(bob).contains("(Ready) <nat>") == isReady
      }
    }
  }

  /// Who is there, as a client of Syncplay's printed it last.
  private func list(_ client: SyncplayClientProcess) -> Substring {
    client.words.split(separator: "In room").last ?? ""
  }

  /// Who is there, as `matinee join` printed it last.
  private func people(_ client: NativeClientProcess) -> Substring {
    client.words.split(separator: "NAME ").last ?? ""
  }

  // MARK: Watching

  func play() throws { try press(.play, ann) { theatre.run(everybody) } }

  func seek() throws {
    try press(.seek(Self.farPlace), bob) {
      theatre.run(everybody)
        && everybody.allSatisfy { theatre.areBeyond(Self.farPlace, $0) }
        && theatre.areTogether(everybody)
    }
  }

  /// Whoever pauses, all stand.
  func pause() throws {
    let pausing: [any StagedClient] = [bob, nat]
    for client in pausing {
      try press(.pause, client) { theatre.stand(everybody) && theatre.areTogether(everybody) }
      try play()
    }
  }

  /// Somebody comes late, and is brought to where the others are.
  func comeLate() throws {
    let others = everybody
    let begin = theatre.now
    let eve = try theatre.enter("eve", delay: .milliseconds(150), password: Self.password)
    try theatre.wait { theatre.run(everybody) && theatre.areTogether(everybody) }
    for client in others {
      let lowest = try #require(stage.lowestPosition(of: client, since: begin))
      #expect(lowest >= Self.farPlace, "\(client.name) was moved")
    }
    eve.close()
    try theatre.wait { eve.hasEnded && ann.words.contains("eve has left") }
  }

  func goOnToTheNextFilm() throws {
    let film = theatre.clips.names[1]
    try theatre.insist { [ann] in
      ann.queue(film)
    } until: { [bob] in
      bob.words.contains("ann updated the playlist")
    }
    // Who came first may have put the first film into the list after it.
    var entry = 1
    try theatre.insist { [ann] in
      entry = 3 - entry
      ann.select(entry)
    } until: { [ann, bob] in
      [ann, bob].allSatisfy { $0.words.contains("\($0.name) is playing '\(film)'") }
        && bob.words.contains("<nat> is playing:\n    File: '\(film)'")
        && everybody.allSatisfy { theatre.areBefore(.seconds(60), $0) }
    }
    try play()
  }

  /// Somebody's line is cut and comes back, and they see again what the others do.
  ///
  /// Not as they begin: who is not connected while Debian's client still takes in that its player
  /// runs has one that looks at its player no more.
  func loseTheLine() throws {
    try theatre.wait { everybody.allSatisfy { theatre.areBeyond(.seconds(5), $0) } }
    let before = arrivals(bob)
    bob.cutNetwork()
    nat.cutNetwork()
    try theatre.wait { [ann, bob, nat] in
      bob.words.contains("Connection with server lost") && ann.words.contains("bob has left")
        && nat.words.contains("connection lost")
    }
    bob.restoreNetwork()
    nat.restoreNetwork()
    try theatre.wait { arrivals(bob) > before }
    let position = MediaTime.seconds(200)
    try press(.seek(position), ann) {
      theatre.run(everybody) && everybody.allSatisfy { theatre.areBeyond(position, $0) }
        && theatre.areTogether(everybody)
    }
  }

  private func arrivals(_ client: SyncplayClientProcess) -> Int {
    client.words.split(separator: "Successfully connected").count
  }

  // MARK: A managed room

  /// In a room of its own that ann makes, she steers alone, until bob knows the password, too.
  func manage() throws {
    try theatre.insist { [ann] in
      ann.createManagedRoom("lobby")
    } until: { [ann] in
      ann.words.contains(#/'\+lobby:\w{12}' with password '[A-Z]{2}-\d{3}-\d{3}'/#)
    }
    let room = String(try #require(ann.words.matches(of: #/\+lobby:\w{12}/#).last).output)
    let password = String(
      try #require(ann.words.matches(of: #/[A-Z]{2}-\d{3}-\d{3}/#).last).output)
    try theatre.insist { [bob] in
      bob.move(to: room)
    } until: { [ann, bob] in
      ann.words.contains("bob has joined the room: '\(room)'")
        || bob.words.contains("in room: '\(room)'")
    }
    try bringNat(to: room)
    try press(.play, ann) { theatre.run(everybody) }
    let refusals = wishesRefused(bob)
    try press(.pause, bob) { wishesRefused(bob) > refusals }
    try refuseNat()
    try theatre.wait { theatre.run(everybody) && theatre.areTogether(everybody) }
    try theatre.insist { [bob] in
      bob.identify(with: password)
    } until: { [ann, bob] in
      [ann, bob].allSatisfy { $0.words.contains("bob authenticated as a room operator") }
    }
    try press(.pause, bob) { theatre.stand(everybody) && theatre.areTogether(everybody) }
  }

  /// Who came by `matinee join` comes along.
  private func bringNat(to room: String) throws {
    try theatre.insist {
      nat.say("group leave")
    } until: { [ann] in
      ann.words.contains("nat has left")
    }
    try theatre.insist {
      nat.say("group join \(room)")
      nat.say("join")
    } until: {
      nat.words.contains("in group \(room): ")
    }
    try theatre.insist { [ann] in
      ann.say("list")
    } until: { [ann] in
      list(ann).contains("'\(room)'") && list(ann).contains("<nat> is playing")
    }
  }

  /// A guest may not pause, by whatever means they came.
  private func refuseNat() throws {
    try theatre.insist {
      nat.say("pause")
    } until: {
      nat.words.contains("that did not work")
    }
    nat.press(.pause)
  }

  /// How often a client let its player go on because its person may not pause.
  private func wishesRefused(_ client: SyncplayClientProcess) -> Int {
    client.words.split(separator: "set as not ready").count
  }

  private func press(
    _ key: PlayerKey, _ client: any StagedClient, until condition: @escaping () -> Bool
  ) throws {
    try theatre.insist({ client.press(key) }, until: condition)
  }
}
