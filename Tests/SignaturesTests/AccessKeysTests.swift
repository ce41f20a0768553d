import Cryptography
import Signatures
import Testing
import Vocabulary

struct AccessKeysTests {
  private static func keys(_ seed: UInt64 = 1) -> AccessKeys {
    var numbers = SplitMix64(seed: seed)
    return AccessKeys(InvitationKey(using: &numbers))
  }

  @Test func `every server, group and generation has a key of its own`() {
    let (keys, others) = (Self.keys(), Self.keys(2))
    let all = [
      keys.founding, others.founding, keys.key(of: GroupID("g"), generation: 1),
      keys.key(of: GroupID("g"), generation: 2), keys.key(of: GroupID("h"), generation: 1),
      keys.key(of: GroupID("1 g"), generation: 1), others.key(of: GroupID("g"), generation: 1),
    ]
    #expect(Set(all).count == all.count)
    #expect(
      keys.key(of: GroupID("g"), generation: 1) == Self.keys().key(of: GroupID("g"), generation: 1))
  }

  @Test func `a key is the text itself, and no hash of it`() {
    let key = Self.keys().founding
    let hash = Digest.md5(of: Array(key.text.utf8)).hexadecimal
    #expect(key.matches(key.text))
    for text in ["", key.text + "0", String(key.text.dropLast()), hash, "\(key)"] {
      #expect(!key.matches(text))
    }
  }

  @Test func `a credential's hash is stored as text, and says nothing of the credential`() throws {
    let credential = Secret(high: 1, low: 2)
    let hash = CredentialHash(of: credential)
    #expect(CredentialHash(hash.text) == hash && hash.bytes.count == 32)
    #expect(hash.bytes == Digest.sha256(of: Array(credential.text.utf8)).bytes)
    for text in ["", "x", String(hash.text.dropLast())] { #expect(CredentialHash(text) == nil) }
    #expect(hash.device(named: DeviceID("phone")) != hash.device(named: DeviceID("pad")))
    #expect(
      hash.device(named: DeviceID("phone"))
        != CredentialHash(of: Secret(high: 1, low: 3)).device(named: DeviceID("phone")))
  }
}
