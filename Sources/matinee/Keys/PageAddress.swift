import ArgumentParser
import MatineeClient
import Vocabulary
import WebAddresses

/// Where browsers find the page, such as `https://film.example`.
struct PageAddress: Equatable, Sendable {
  /// The page's origin (RFC 6454), in lower case and without the scheme's own port.
  let origin: String
  /// Whether only this machine reaches it.
  let isLoopback: Bool

  /// The groups that would be a path of the server itself.
  private static let takenPaths: Set = ["ws", "media", "healthz", "readyz"]

  /// Reads the value of --page; it may end in a slash, as browsers show it.
  ///
  /// - Parameter text: the value. Errors do not repeat it, because people paste whole links with
  ///   keys.
  init(option text: String) throws(ValidationError) {
    guard let address = WebAddress(text), ["https", "http"].contains(address.scheme) else {
      throw ValidationError("--page takes the page's address, such as https://film.example")
    }
    guard ["", "/"].contains(address.path), !text.contains(where: { "?#".contains($0) }) else {
      throw ValidationError(
        "--page takes the page's address without a group or a key, such as https://film.example")
    }
    guard !address.hasUserInformation else {
      throw ValidationError("--page takes an address without a name before the host")
    }
    guard address.port != 0 else {
      throw ValidationError("--page takes a port from 1 to 65535")
    }
    guard address.scheme == "https" || address.isLoopback else {
      throw ValidationError(
        "over http, anybody on the way reads the group's key: give --page an address with https")
    }
    origin = address.origin
    isLoopback = address.isLoopback
  }

  /// The page at a server's address.
  init(at endpoint: Endpoint, isEncrypted: Bool) {
    let scheme = isEncrypted ? "https" : "http"
    let isUsual = endpoint.port == (isEncrypted ? 443 : 80)
    let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
    origin = "\(scheme)://\(host)" + (isUsual ? "" : ":\(endpoint.port)")
    isLoopback = WebAddresses.isLoopback(host: endpoint.host)
  }

  /// The link with which a browser enters a group.
  ///
  /// The page's own dialog makes the same (`makeLink` in `identity.js`). The key stands behind `#`,
  /// because browsers send nothing of that.
  ///
  /// - Parameters:
  ///   - group: the group; `nil` in the link that opens groups.
  ///   - key: the group's key.
  func link(to group: GroupID?, key: String) -> String {
    let name = group?.text ?? ""
    // A name with a dot would be one of the page's files; a path has no backslash.
    let isPath = !name.contains { #"./\"#.contains($0) } && !Self.takenPaths.contains(name)
    return "\(origin)/\(isPath ? "" : "?group=")\(PercentEncoding.part(for: name))#\(key)"
  }
}
