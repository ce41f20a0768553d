extension SyncplayCase {
  /// Managed rooms over the wire.
  package static let managedRooms: [SyncplayCase] = [
    SyncplayCase(
      "making a managed room",
      #"""
      alice enters lobby
      alice > {"Set":{"controllerAuth":{"room":"lobby","password":"AB-123-456"}}}
      alice < {"Set":{"newControlledRoom":{"password":"AB-123-456","roomName":"+lobby:EB6501C30B97"}}}
      """#),
    SyncplayCase(
      "operators steer, others watch",
      #"""
      alice enters +lobby:EB6501C30B97
      bob enters +lobby:EB6501C30B97
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
      """#),
    SyncplayCase(
      "a wrong password is told to all",
      #"""
      alice enters +lobby:EB6501C30B97
      bob enters lobby
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-457"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"+lobby:EB6501C30B97","success":false}}}
      bob < {"Set":{"controllerAuth":{"user":"alice","success":false}}}
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"open"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"+lobby:EB6501C30B97","success":false}}}
      """#),
    SyncplayCase(
      "an operator who goes has no right in another room",
      #"""
      alice enters +lobby:EB6501C30B97
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      alice > {"Set":{"room":{"name":"lobby"}}}
      alice > {"Set":{"room":{"name":"+lobby:EB6501C30B97"}}}
      alice > {"List":null}
      alice < {"List":{"+lobby:EB6501C30B97":{"alice":{"controller":false}}}}
      """#),
  ]
}
