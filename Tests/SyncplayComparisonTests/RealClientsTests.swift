import LoopTesting
import SyncplayComparison
import Testing

/// Real clients with real players, at the reference's server and at this one.
@Suite(.serialized) struct RealClientsTests {
  @Test(arguments: Theatre.Served.allCases)
  func `two with Syncplay, a latecomer and one by matinee join spend an evening together`(
    served: Theatre.Served
  ) throws {
    try TestLoop.run { test in
      let evening = try Evening(at: served, test)
      defer { evening.theatre.stage.close() }
      try evening.meet()
      try evening.chat()
      try evening.getReady()
      try evening.play()
      try evening.seek()
      try evening.pause()
      try evening.comeLate()
      try evening.goOnToTheNextFilm()
      // The reference's rooms stand before their beginning at times when somebody came back, and
      // nothing starts there any more; scripts of lines show its rules for managed rooms.
      guard served == .matinee else { return }
      try evening.loseTheLine()
      try evening.manage()
    }
  }
}
