import ClipTesting
import EventLoops
import LoopTesting
import Scenarios
import SyncplayComparison
import Testing
import Vocabulary

/// Debian's clients with their players: what the comparison is made of.
@Suite(.serialized) struct SyncplayClientProcessTests {
  @Test(arguments: Theatre.Served.allCases)
  func `who plays, seeks or pauses at one player moves the other`(served: Theatre.Served) throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test, at: served)
      defer { theatre.stage.close() }
      let ann = try theatre.enter("ann")
      let bob = try theatre.enter("bob")
      try theatre.insist {
        ann.press(.play)
      } until: {
        theatre.stage.runs(ann) && theatre.stage.runs(bob)
      }
      let far = MediaTime.seconds(300)
      try theatre.insist {
        bob.press(.seek(far))
      } until: {
        theatre.areBeyond(far, ann, bob)
      }
      try theatre.insist {
        bob.press(.pause)
      } until: {
        theatre.stage.stands(ann) && theatre.stage.stands(bob)
      }
    }
  }

  @Test func `one who comes late with a film throws everybody back to the beginning`() throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test)
      defer { theatre.stage.close() }
      // They open it in their players, and so it stands in no list.
      let people = try ["ann", "bob"].map { name in
        try theatre.enter(name, hasFilm: false) {
          $0.hasPlayer && $0.words.contains("Successfully connected")
        }
      }
      let (ann, bob) = (people[0], people[1])
      for client in people {
        try theatre.insist {
          client.open(theatre.clips.paths[0])
        } until: {
          theatre.stage.isSettled(client)
        }
      }
      let far = MediaTime.seconds(300)
      try theatre.insist {
        ann.press(.seek(far))
        ann.press(.play)
      } until: {
        theatre.stage.runs(ann) && theatre.stage.runs(bob) && theatre.areBeyond(far, ann, bob)
      }
      // What is wrong with the reference is what the comparison has to see.
      _ = try theatre.enter("eve", delay: .milliseconds(150))
      try theatre.wait { theatre.areBefore(.seconds(60), ann, bob) }
    }
  }

  @Test func `what somebody types at the console reaches the others`() throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test)
      defer { theatre.stage.close() }
      let ann = try theatre.enter("ann")
      let bob = try theatre.enter("bob")
      try theatre.insist {
        ann.chat("good evening")
      } until: {
        bob.words.contains("<ann> good evening")
      }
      ann.toggleReady()
      try theatre.insist {
        bob.say("list")
      } until: {
        let list = bob.words.split(separator: "In room").last ?? ""
        return list.contains(" is playing") && !list.contains("(Ready) <ann>")
      }
      try theatre.insist {
        ann.queue(theatre.clips.names[1])
      } until: {
        bob.words.contains("ann updated the playlist")
      }
      // Who came first may have put the first film into the list after it.
      var entry = 1
      try theatre.insist {
        entry = 3 - entry
        ann.select(entry)
      } until: {
        bob.words.contains("bob is playing '\(theatre.clips.names[1])'")
      }
    }
  }

  @Test func `a managed room obeys its operator alone`() throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test, password: "secret", salt: "testsalt12")
      defer { theatre.stage.close() }
      let ann = try theatre.enter("ann", password: "secret")
      let bob = try theatre.enter("bob", password: "secret")
      try theatre.insist {
        ann.createManagedRoom("lobby")
      } until: {
        ann.words.contains(#/\+lobby:\w{12}/#)
      }
      let name = try #require(ann.words.firstMatch(of: #/\+lobby:\w{12}/#))
      try theatre.insist {
        bob.move(to: String(name.output))
      } until: {
        bob.words.contains("ann is playing 'first.mp4' (10:00) in room: '+lobby")
          || ann.words.contains("bob has joined the room: '+lobby")
      }
      try theatre.insist {
        ann.press(.play)
      } until: {
        theatre.stage.runs(ann) && theatre.stage.runs(bob)
      }
      try theatre.insist {
        bob.press(.pause)
      } until: {
        bob.words.contains("set as not ready")
      }
      try theatre.wait { theatre.stage.runs(ann) && theatre.stage.runs(bob) }
    }
  }

  @Test func `a client whose network was cut comes back`() throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test)
      defer { theatre.stage.close() }
      let ann = try theatre.enter("ann")
      func arrivals() -> Int { ann.words.split(separator: "Successfully connected").count }
      let before = arrivals()
      ann.cutNetwork()
      try theatre.waitForWords("Connection with server lost", of: ann)
      ann.restoreNetwork()
      try theatre.wait { arrivals() > before }
    }
  }

  @Test func `who closes the player is gone`() throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test)
      defer { theatre.stage.close() }
      let ann = try theatre.enter("ann")
      let bob = try theatre.enter("bob")
      ann.quitPlayer()
      try theatre.wait { ann.hasEnded }
      try theatre.waitForWords("ann has left", of: bob)
    }
  }

  @Test(arguments: Theatre.Served.allCases)
  func `a wrong password is told`(served: Theatre.Served) throws {
    try TestLoop.run { test in
      let theatre = try Theatre(test, at: served, password: "secret")
      defer { theatre.stage.close() }
      // Only who found no player comes again: whoever is not told of the password is a failure.
      let ann = try theatre.enter("ann", password: "guess") {
        $0.words.contains("Wrong password")
          || $0.hasEnded && !$0.words.contains("Media player error")
      }
      #expect(ann.words.contains("Wrong password"))
    }
  }
}
