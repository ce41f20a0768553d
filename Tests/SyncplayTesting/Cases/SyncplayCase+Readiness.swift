extension SyncplayCase {
  /// Readiness.
  package static let readiness: [SyncplayCase] = [
    SyncplayCase(
      "readiness is told to the room",
      #"""
      alice enters lobby
      bob enters lobby
      cleo enters other
      alice > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true}}}
      bob < {"Set":{"ready":{"username":"alice","isReady":true,"manuallyInitiated":true}}}
      alice < {"Set":{"ready":{"username":"alice","isReady":true,"manuallyInitiated":true}}}
      cleo ! {"Set":{"ready":{"username":"alice"}}}
      cleo > {"List":null}
      cleo < {"List":{"lobby":{"alice":{"isReady":true},"bob":{"isReady":null}}}}
      """#),
    SyncplayCase(
      "a server without readiness", on: .withoutReadiness,
      #"""
      alice enters lobby
      bob enters lobby
      alice > {"Set":{"ready":{"isReady":true}}}
      bob > {"List":null}
      bob < {"List":{"lobby":{"alice":{"isReady":null}}}}
      """#),
  ]
}
