/// The address of a server.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// A host name or a literal address.
  public var host: String
  /// The port; 7878 unless the server is configured otherwise.
  public var port: UInt16

  /// Makes an address.
  public init(host: String, port: UInt16 = 7878) {
    self.host = host
    self.port = port
  }

  /// Parses `host`, `host:port`, `v6`, `[v6]` or `[v6]:port`.
  ///
  /// - Returns: `nil` for an empty host, a bracket that is not closed, or a port that is not a
  ///   number below 65536.
  public init?(_ text: String) {
    // The colons of an address without brackets are its own, so no port follows them.
    if text.count(where: { $0 == ":" }) > 1, !text.hasPrefix("[") {
      self.init(host: text)
    } else {
      do throws(GroupLinkError) {
        try self.init(reading: ArraySlice(text.utf8))
      } catch {
        return nil
      }
    }
    if host.isEmpty { return nil }
  }

  /// The address in the form that a command line takes.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension Endpoint {
  /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`; the host may be any text.
  init(reading text: ArraySlice<UInt8>) throws(GroupLinkError) {
    guard text.first == UInt8(ascii: "[") else {
      let (host, port) = text.halves(at: ":")
      // An IPv6 address without brackets is no host with a wrong port.
      guard port?.contains(UInt8(ascii: ":")) != true else { throw .host }
      self.init(host: host.text, port: try Self.port(in: port))
      return
    }
    let (host, rest) = text.dropFirst().halves(at: "]")
    guard let rest else { throw .host }
    let (gap, port) = rest.halves(at: ":")
    guard gap.isEmpty else { throw .port }
    self.init(host: host.text, port: try Self.port(in: port))
  }

  /// The number of a port, or the one that servers have by default.
  private static func port(in digits: ArraySlice<UInt8>?) throws(GroupLinkError) -> UInt16 {
    guard let digits else { return Endpoint(host: "").port }
    // A plus sign is not one of them.
    let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, digits.count <= 5, let port = UInt16(digits.text) else { throw .port }
    return port
  }
}

extension ArraySlice<UInt8> {
  /// What stands before the first such mark and behind it; `nil` behind it without a mark.
  func halves(at mark: Unicode.Scalar) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
    guard let place = firstIndex(of: UInt8(ascii: mark)) else { return (self, nil) }
    return (self[..<place], self[(place + 1)...])
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}
