package import Vocabulary

/// Whom a campaign is for: a condition on what is known of a person and their device.
package indirect enum Audience: Hashable, Sendable {
  case all
  case not(Audience)
  case allOf([Audience])
  case anyOf([Audience])
  case app(String)
  /// Versions compare number by number: 1.10 is later than 1.9.
  case version(PropertyFilter.Comparison, String)
  case attribute(PropertyFilter)
  /// Listed in a list of that name.
  case member(of: String)
  case users(Set<UserID>)
  /// The device can do it, such as `groupWatch`.
  case capability(String)
}
