import Testing
import Vocabulary

@Suite struct PeersTests {
  private static let (ann, ben) = (
    PeerID(slot: 1, generation: 1), PeerID(slot: 2, generation: 1)
  )

  @Test func `one is listed like many`() {
    #expect(Array(Peers.one(Self.ann)) == [Self.ann])
    #expect(Array(Peers.many([Self.ben, Self.ann])) == [Self.ben, Self.ann])
    #expect(Peers.many([]).isEmpty)
    #expect(Peers.one(Self.ben).last == Self.ben)
  }
}
