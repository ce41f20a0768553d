import Coordination
import Logging
import Signatures
import TLS

/// What a server that stands by has read of its files last without a mistake.
///
/// It reads them again when it takes over. With a mistake in them it goes on with what it has,
/// because nobody would serve else.
final class KeptFiles {
  /// The keys of tokens.
  var access: Access?
  var administratorKey: AdministratorKey?
  var identity: TLSIdentity?
  private let log: Logger

  init(_ log: Logger) { self.log = log }

  /// Reads files and keeps what they say; with a mistake in them, returns what was kept.
  ///
  /// - Parameters:
  ///   - place: where it is kept.
  ///   - name: what the log calls the files.
  ///   - read: reads them; `nil` if none were named.
  /// - Throws: the error of `read` if nothing was kept.
  func value<Value, Failure>(
    _ place: ReferenceWritableKeyPath<KeptFiles, Value?>, of name: String,
    _ read: () throws(Failure) -> Value?
  ) throws(Failure) -> Value? {
    do throws(Failure) {
      let value = try read()
      self[keyPath: place] = value
      return value
    } catch {
      guard let kept = self[keyPath: place] else { throw error }
      log.error("\(error)")
      log.error("no change of the \(name): mend the files")
      return kept
    }
  }
}

@available(*, unavailable)
extension KeptFiles: Sendable {}
