import Testing

@testable import Syncplay

/// Managed rooms over the wire, §2.8.
@Suite struct ManagedRoomScriptTests {
  @Test func `making a managed room`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Set":{"controllerAuth":{"room":"lobby","password":"AB-123-456"}}}
      alice < {"Set":{"newControlledRoom":{"password":"AB-123-456","roomName":"+lobby:EB6501C30B97"}}}
      """#
    ).play(on: &world)
  }

  @Test func `operators steer, others watch`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"+lobby:EB6501C30B97"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"+lobby:EB6501C30B97"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"+lobby:EB6501C30B97","success":true}}}
      bob < {"Set":{"controllerAuth":{"user":"alice","room":"+lobby:EB6501C30B97","success":true}}}
      bob > {"List":null}
      bob < {"List":{"+lobby:EB6501C30B97":{"alice":{"controller":true},"bob":{"controller":false}}}}
      wait 1.2
      alice > {"State":{"playstate":{"position":300,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":300,"doSeek":true,"setBy":"alice"}}}
      wait 0.3
      bob is mute
      bob > {"State":{"playstate":{"position":300,"paused":false},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":300,"paused":false,"doSeek":false,"setBy":"bob"},"ignoringOnTheFly":{"server":1,"client":1}}}
      bob < {"State":{"playstate":{"position":300,"paused":true,"doSeek":true,"setBy":"alice"},"ignoringOnTheFly":{"server":2}}}
      alice ! {"State":{"playstate":{"paused":false}}}
      bob > {"Set":{"playlistChange":{"files":["a"]}}}
      bob < {"Set":{"playlistChange":{"user":"+lobby:EB6501C30B97","files":[]}}}
      """#
    ).play(on: &world)
  }

  @Test func `a wrong password is told to all`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-457"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"+lobby:EB6501C30B97","success":false}}}
      bob < {"Set":{"controllerAuth":{"user":"alice","success":false}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"open"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"+lobby:EB6501C30B97","success":false}}}
      """#
    ).play(on: &world)
  }

  @Test func `an operator who goes has no right in another room`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"+lobby:EB6501C30B97"}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      alice > {"Set":{"room":{"name":"lobby"}}}
      alice > {"Set":{"room":{"name":"+lobby:EB6501C30B97"}}}
      alice > {"List":null}
      alice < {"List":{"+lobby:EB6501C30B97":{"alice":{"controller":false}}}}
      """#
    ).play(on: &world)
  }
}
