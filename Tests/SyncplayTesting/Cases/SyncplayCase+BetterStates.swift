extension SyncplayCase {
  /// States where the reference is known to be wrong.
  package static let betterStates: [SyncplayCase] = [
    SyncplayCase(
      "a state without ping, as clients send with a playlist's index",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      alice > {"State":{"playstate":{"position":0,"paused":false}}}
      bob < {"State":{"playstate":{"paused":false,"setBy":"alice"}}}
      wait 1
      alice > {"State":{"playstate":{"position":0,"paused":true}}}
      bob < {"State":{"playstate":{"paused":true,"setBy":"alice"}}}
      """#),
    SyncplayCase(
      "an unacknowledged change is said again each second",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      bob is mute
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      wait 0.7
      bob < {"State":{"playstate":{"position":600,"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob > {"State":{"ping":{},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":false}}}
      """#),
    SyncplayCase(
      "who says nothing for 12.5 seconds is dropped",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      alice is mute
      wait 11
      alice ! {"Error":"*"}
      wait 2
      alice hears the end
      bob < {"Set":{"user":{"alice":{"event":{"left":true}}}}}
      """#),
  ]
}
