import ArgumentParser
import MatineeClient
import Vocabulary

/// Where a group is: its server, its name, and the key that opens it.
struct GroupPlace: Sendable {
  let endpoint: Endpoint
  let group: GroupID
  /// The key of the link that the person has; `nil` without a link.
  let key: String?
  /// How a link says that the connection is protected; `nil` without a link.
  let linkedSecurity: ConnectionSecurity?

  /// The address that a server has without options.
  static let standardServer = "127.0.0.1:7878"

  private init(
    endpoint: Endpoint, group: String, key: String?, _ linkedSecurity: ConnectionSecurity?
  ) throws(ValidationError) {
    let longest = Limits().identifierBytes
    guard !group.isEmpty, group.utf8.count <= longest else {
      throw ValidationError("--group takes a name of 1 to \(longest) bytes")
    }
    self.endpoint = endpoint
    self.group = GroupID(group)
    self.key = key
    self.linkedSecurity = linkedSecurity
  }

  /// The place that options name.
  init(server: String?, group: String?) throws(ValidationError) {
    let endpoint = try Endpoint(option: server ?? Self.standardServer)
    guard let group else {
      throw ValidationError("name the group with --group, or give its link")
    }
    try self.init(endpoint: endpoint, group: group, key: nil, nil)
  }

  /// The place that a link names; only a founding link leaves the group to an option.
  init(link text: String, group: String?) throws(ValidationError) {
    let link = try GroupLink(option: text)
    switch (link.group, group) {
    case (let named?, nil):
      try self.init(
        endpoint: link.endpoint, group: named.text, key: link.key, link.security)
    case (nil, let named?):
      try self.init(endpoint: link.endpoint, group: named, key: link.key, link.security)
    case (.some, .some): throw ValidationError("the link names the group; leave --group out")
    case (nil, nil):
      throw ValidationError(
        "this link opens groups, and names none; name the new one with --group")
    }
  }

  /// The link that lets others in.
  ///
  /// - Parameters:
  ///   - key: the group's key.
  ///   - security: how the connection is protected.
  func link(
    with key: String, _ security: ConnectionSecurity
  ) throws(GroupLinkError) -> GroupLink {
    try GroupLink(endpoint: endpoint, security: security, group: group, key: key)
  }

  /// The command that prints the link later.
  func invitingCommand(as name: String) -> String {
    "matinee invite \(group.text.shellWord)\(endpoint.optionText) --as \(name.shellWord)"
  }
}

extension GroupLink {
  /// Reads a link on the command line.
  init(option text: String) throws(ValidationError) {
    do throws(GroupLinkError) {
      try self.init(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

extension Endpoint {
  /// Reads the value of --server.
  init(option text: String) throws(ValidationError) {
    guard let endpoint = Endpoint(text) else {
      throw ValidationError(
        "--server takes host:port, such as \(GroupPlace.standardServer), not \(text)")
    }
    // Links have their hosts in lower case, and both name the same server.
    self.init(host: endpoint.host.lowercased(), port: endpoint.port)
  }

  /// The option that names the server, after a space; empty for the standard one.
  var optionText: String {
    "\(self)" == GroupPlace.standardServer ? "" : " --server \("\(self)".shellWord)"
  }
}

extension String {
  /// The text as one word for a shell, quoted if necessary.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._:@/+,".utf8.contains(byte)
      }
    }
    guard !isPlain || isEmpty else { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
