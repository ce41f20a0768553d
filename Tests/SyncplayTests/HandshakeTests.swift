import Testing

@testable import Syncplay

@Suite struct HandshakeTests {
  @Test func `the captured exchange`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      """
      alice connects
      alice > {"TLS":{"startTLS":"send"}}
      alice < {"TLS":{"startTLS":"false"}}
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{}}}
      alice < {"Set":{"ready":{"username":"alice","isReady":null,"manuallyInitiated":false}}}
      alice < {"Set":{"playlistChange":{"user":null,"files":[]}}}
      alice < {"Set":{"playlistIndex":{"user":null,"index":null}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.7.7","realversion":"1.7.7","features":{"isolateRooms":false,"maxUsernameLength":16},"motd":""}}
      alice < {"State":{"ping":{"latencyCalculation":"*","serverRtt":0},"playstate":{"position":0,"paused":true,"doSeek":false,"setBy":null}}}
      """
    ).play(on: &world)
  }
}
