import PushTransports
import Testing

@Suite struct APNsDeviceTests {
  private func flaw(_ token: String, _ topic: String) -> APNsDeviceFlaw? {
    do throws(APNsDeviceFlaw) {
      _ = try APNsDevice(token: token, topic: topic)
      return nil
    } catch { return error }
  }

  @Test func `a device has one way of being written`() throws {
    let upper = try APNsDevice(token: "00FF", topic: "org.example.App-1")
    #expect(upper == (try APNsDevice(token: "00ff", topic: "org.example.App-1")))
    #expect(upper.token == "00ff")
  }

  @Test(arguments: ["", "0", "0g", "00/..", "00 0", "０0", String(repeating: "0", count: 202)])
  func `a token is hexadecimal digits`(token: String) {
    #expect(flaw(token, "org.example") == .token)
    #expect(flaw(String(repeating: "0", count: 200), "org.example") == nil)
  }

  @Test(arguments: ["", "a b", "a\r\nx: y", "org/example", "é", String(repeating: "a", count: 256)])
  func `a topic is a bundle id`(topic: String) {
    #expect(flaw("00ff", topic) == .topic)
    #expect(flaw("00ff", String(repeating: "a", count: 255)) == nil)
  }

  @Test(arguments: ["", "ABCDE12345X", "ABCDE 1234", "ABCDE1234é"])
  func `what is no id of Apple's is refused`(id: String) throws {
    let key = SigningKey()
    #expect(throws: PushConfigurationError.appleID(id)) {
      try APNsConfiguration(key: key, keyID: id, teamID: "TEAM123456")
    }
    #expect(throws: PushConfigurationError.appleID(id)) {
      try APNsConfiguration(key: key, keyID: "ABC123DEFG", teamID: id)
    }
  }
}
