import Coordination
import JSON
import Signatures
import Vocabulary
import Wire

/// The kinds of name events, as spelled in `"event"`.
private enum NameEventName: String, CaseIterable {
  case claimed, paired, freed
}

extension NameEvent {
  private var name: NameEventName {
    switch self {
    case .claimed: .claimed
    case .paired: .paired
    case .freed: .freed
    }
  }

  /// Writes a JSON object; of a credential it has the hash.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("event", name.rawValue)
      switch self {
      case .claimed(let hash), .paired(let hash): writer.field("credential", hash.text)
      case .freed: break
      }
    }
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    func hash() throws(DecodingFlaw) -> CredentialHash {
      guard let hash = CredentialHash(try object.string("credential", maximum: .max)) else {
        throw object.outOfRange("credential", allowed: "a hash")
      }
      return hash
    }
    self =
      switch try object.choice("event", among: NameEventName.self) {
      case .claimed: .claimed(try hash())
      case .paired: .paired(try hash())
      case .freed: .freed
      }
  }
}
