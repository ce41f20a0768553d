import Testing

@testable import Syncplay

/// Managed rooms where the reference is known to be wrong.
@Suite struct BetterManagedRoomTests {
  @Test func `a room's password is no right in another room`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"other"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"other"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"other","success":false}}}
      alice > {"List":null}
      alice < {"List":{"other":{"alice":{"controller":false}}}}
      """#
    ).play(on: &world)
  }

  @Test func `guesses are throttled`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"+lobby:EB6501C30B97"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"+lobby:EB6501C30B97"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-000-001"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-000-002"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-000-003"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-000-004"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-000-005"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      wait 0.3
      bob ! {"Set":{"controllerAuth":{"success":true}}}
      wait 10.5
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      bob < {"Set":{"controllerAuth":{"user":"alice","success":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `a managed room's name is not cut into an ordinary one's`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Set":{"controllerAuth":{"room":"a name of twenty-two ch","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":false}}}
      alice > {"Set":{"room":{"name":"+a name of twenty-two ch:0123456789AB"}}}
      alice < {"Set":{"user":{"alice":{"room":{"name":"+a name of twenty-two ch:0123456789AB"}}}}}
      """#
    ).play(on: &world)
  }
}
