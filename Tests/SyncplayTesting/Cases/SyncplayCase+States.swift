extension SyncplayCase {
  /// State, ping and ignoringOnTheFly.
  package static let states: [SyncplayCase] = [
    SyncplayCase(
      "play is told to all at once, and to who pressed it",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      alice > {"State":{"playstate":{"position":0,"paused":false},"ping":{"clientLatencyCalculation":12.5,"clientRtt":0},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":0,"paused":false,"doSeek":"*","setBy":"alice"},"ignoringOnTheFly":{"server":1}}}
      alice < {"State":{"ping":{"clientLatencyCalculation":12.5},"playstate":{"paused":false,"setBy":"alice"},"ignoringOnTheFly":{"server":1,"client":1}}}
      wait 2
      bob < {"State":{"playstate":{"position":1,"paused":false}}}
      """#),
    SyncplayCase(
      "a pause is told with where it was",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      alice > {"State":{"playstate":{"position":0,"paused":false},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"paused":false}}}
      wait 2.2
      bob > {"State":{"playstate":{"position":2.2,"paused":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":2.2,"paused":true,"doSeek":"*","setBy":"bob"},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":2.2,"paused":true,"setBy":"bob"},"ignoringOnTheFly":{"client":1}}}
      """#),
    SyncplayCase(
      "a seek is told as one",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":600,"paused":true,"doSeek":true,"setBy":"alice"},"ignoringOnTheFly":{"server":1}}}
      wait 1.5
      bob < {"State":{"playstate":{"position":600,"paused":true,"doSeek":false}}}
      """#),
    SyncplayCase(
      "what is missing of a place is no change",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      alice > {"State":{"playstate":{}}}
      alice > {"State":{}}
      alice > {"State":{"ping":{"latencyCalculation":1,"clientLatencyCalculation":1,"clientRtt":0}}}
      wait 0.3
      bob ! {"State":{"ignoringOnTheFly":"*"}}
      """#),
    SyncplayCase(
      "who has not seen a change is not believed",
      #"""
      alice enters lobby
      bob enters lobby
      wait 1.2
      bob is mute
      alice > {"State":{"playstate":{"position":100,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":100},"ignoringOnTheFly":{"server":1}}}
      bob > {"State":{"playstate":{"position":0,"paused":false}}}
      wait 0.3
      alice ! {"State":{"playstate":{"paused":false}}}
      bob > {"State":{"playstate":{"position":100,"paused":true},"ignoringOnTheFly":{"server":1}}}
      bob > {"State":{"playstate":{"position":100,"paused":false},"ignoringOnTheFly":{"client":2}}}
      alice < {"State":{"playstate":{"position":100,"paused":false,"setBy":"bob"}}}
      """#),
    SyncplayCase(
      "a client's stamp comes back once, with the time it lay there",
      #"""
      alice enters lobby
      wait 1.2
      alice is mute
      alice > {"State":{"ping":{"latencyCalculation":0,"clientLatencyCalculation":500,"clientRtt":0}}}
      alice < {"State":{"ping":{"clientLatencyCalculation":"*"}}}
      alice ! {"State":{"ping":{"clientLatencyCalculation":500}}}
      """#),
  ]
}
