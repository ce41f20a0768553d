/// A part of the program that reads bytes from outside, and what has to hold for any bytes.
///
/// `scripts/fuzz` looks for bytes that break a claim or end the program; `FuzzingTests` checks that
/// the claims hold for the seeds. A target keeps its parsers from one input to the next, like the
/// program does. Confined to one thread.
package protocol FuzzTarget: AnyObject {
  /// The target's name on the command line.
  static var name: String { get }
  /// What has to hold for any bytes, as one sentence.
  static var claim: String { get }

  init() throws

  /// Inputs to begin with, made of examples and golden files, so that there is one set of them.
  static func seeds() throws -> [[UInt8]]

  /// Reads an input.
  ///
  /// - Throws: ``BrokenClaim``; any other error is a mistake of the target.
  func check(_ input: [UInt8]) throws
}

/// All targets.
package enum FuzzTargets {
  package static var all: [any FuzzTarget.Type] {
    [
      SplitLines.self, JSONTexts.self, ClientLines.self, ServerLines.self, JournalRecords.self,
      JournalStreams.self, BackendTokens.self, KeysAndLinks.self, TLSBytes.self,
      SyncplayLines.self, HTTPBytes.self, WebSocketBytes.self, WholeServer.self,
    ]
  }

  /// The target of this name; `nil` if there is none.
  package static func named(_ name: String) -> (any FuzzTarget.Type)? {
    all.first { $0.name == name }
  }
}

/// What a target claims does not hold.
package struct BrokenClaim: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Checks a part of a claim.
///
/// - Parameter sentence: what does not hold if the condition is false.
func require(
  _ condition: Bool, else sentence: @autoclosure () -> String
) throws(BrokenClaim) {
  guard condition else { throw BrokenClaim(sentence()) }
}

extension String {
  /// Bytes as text for a sentence about them; what is no UTF-8 is replaced.
  init(shown bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
  }
}
