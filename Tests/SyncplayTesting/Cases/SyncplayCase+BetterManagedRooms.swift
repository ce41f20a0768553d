extension SyncplayCase {
  /// Managed rooms where the reference is known to be wrong.
  package static let betterManagedRooms: [SyncplayCase] = [
    SyncplayCase(
      "a room's password is no right in another room",
      #"""
      alice enters other
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","room":"other","success":false}}}
      alice > {"List":null}
      alice < {"List":{"other":{"alice":{"controller":false}}}}
      """#),
    SyncplayCase(
      "guesses are throttled",
      #"""
      alice enters +lobby:EB6501C30B97
      bob enters +lobby:EB6501C30B97
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
      """#),
    SyncplayCase(
      "a managed room's name is not cut into an ordinary one's",
      #"""
      alice enters lobby
      alice > {"Set":{"controllerAuth":{"room":"a name of twenty-two ch","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":false}}}
      alice > {"Set":{"room":{"name":"+a name of twenty-two ch:0123456789AB"}}}
      alice < {"Set":{"user":{"alice":{"room":{"name":"+a name of twenty-two ch:0123456789AB"}}}}}
      """#),
  ]
}
