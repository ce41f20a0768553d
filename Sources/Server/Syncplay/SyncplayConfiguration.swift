package import Syncplay

/// Where Syncplay's clients come in, and how they are served.
package struct SyncplayConfiguration: Equatable, Sendable {
  package var endpoints: [ServerConfiguration.Endpoint]
  package var options: SyncplayOptions

  /// A configuration.
  package init(endpoints: [ServerConfiguration.Endpoint], options: SyncplayOptions) {
    self.endpoints = endpoints
    self.options = options
  }
}
