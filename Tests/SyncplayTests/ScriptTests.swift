import SyncplayTesting
import Testing

@testable import Syncplay

/// The scripts that any server of Syncplay's can be held to, on the lobby, in virtual time.
@Suite struct ScriptTests {
  @Test(arguments: SyncplayCase.all)
  func `a script holds`(script: SyncplayCase) throws {
    var world = SyncplayWorld(script.setting.options)
    try SyncplayScript(script.text).play(on: &world)
  }

  @Test(arguments: SyncplayCase.playlists)
  func `a playlist's script holds where the journal takes its time`(script: SyncplayCase) throws {
    var world = SyncplayWorld(script.setting.options)
    world.journalDelay = .milliseconds(50)
    try SyncplayScript(script.text).play(on: &world)
  }

  @Test func `each deviation is of a script of the reference's`() {
    let names = SyncplayCase.ofReference.map(\.name)
    #expect(SyncplayCase.deviations169.keys.allSatisfy(names.contains))
    #expect(Set(SyncplayCase.all.map(\.name)).count == SyncplayCase.all.count)
  }
}
