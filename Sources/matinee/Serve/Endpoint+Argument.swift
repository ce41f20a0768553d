import ArgumentParser
import Server

extension ServerConfiguration.Endpoint {
  /// Reads an address that an option was given.
  ///
  /// - Parameter port: one that would do, for the words on a mistake.
  init(_ text: String, of option: String, port: UInt16) throws(ValidationError) {
    guard let endpoint = Self(text) else {
      throw ValidationError(
        "--\(option) takes host:port or [v6]:port, such as 127.0.0.1:\(port) or [::1]:\(port),"
          + " not \(text)")
    }
    self = endpoint
  }
}
