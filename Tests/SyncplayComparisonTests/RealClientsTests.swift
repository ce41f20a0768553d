import LoopTesting
import SyncplayComparison
import Testing

/// Real clients with real players.
///
/// Here only: at the reference's server some evenings do not go on once somebody came late or came
/// back. `scripts/bench --only syncplay` compares the two.
@Suite struct RealClientsTests {
  @Test func `two with Syncplay, a latecomer and one by matinee join spend an evening together`()
    throws
  {
    try TestLoop.run { test in
      let evening = try Evening(test)
      defer { evening.theatre.stage.close() }
      try evening.meet()
      try evening.chat()
      try evening.getReady()
      try evening.play()
      try evening.seek()
      try evening.pause()
      try evening.comeLate()
      try evening.goOnToTheNextFilm()
      try evening.loseTheLine()
      try evening.manage()
    }
  }
}
