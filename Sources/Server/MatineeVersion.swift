/// This build's name and version.
package enum MatineeVersion {
  /// The version, by semver.org.
  package static let number = "0.1.0"
  /// What the server calls itself.
  package static let text = "matinee/\(number)"
}
