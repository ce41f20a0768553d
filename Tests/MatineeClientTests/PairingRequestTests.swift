import Testing

@testable import MatineeClient

/// Devices that ask another one of the same person to let them in.
@Suite(.serialized, .hangLimit) struct PairingRequestTests {
  @Test func `a device that the server does not let in any more asks no more`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let ann = try await Gathering.connect("Ann", to: server)
    defer { ann.close() }
    ann.shared.pairingRequest.set("Ann")
    let code = await refusal { () throws(GroupWatchError) in try await ann.confirmPairing(true) }
    #expect(code == .pairingRefused)
    #expect(ann.pairingRequest.current == nil)
  }
}
