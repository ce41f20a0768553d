/// What is wrong with an endpoint.
package enum PushEndpointFault: String, Hashable, Sendable, CaseIterable {
  case tooLong
  /// It is no URL, or one that can be read in two ways.
  case malformed
  case noHost
  /// It has a name or a password in it.
  case userInformation
  /// The configuration names the hosts that pushes go to, and this is none of them.
  case unknownHost
  /// It is not `https`.
  case scheme
  /// It leads into the server's own network.
  case privateHost
}
