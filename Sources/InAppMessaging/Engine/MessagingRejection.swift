/// Why the engine refused a command; the state is as before.
package enum MessagingRejection: Error, Equatable, Sendable {
  case tooManyAttributes(limit: Int)
  case tooManyLists(limit: Int)
  case tooManyProperties(limit: Int)
  /// The name of an event, a property, an attribute or a list is too long, or empty.
  case badName(String, limit: Int)
  /// An attribute's value is too long.
  case valueTooLong(key: String, limit: Int)
  /// An event's texts are too long together.
  case eventTooLong(limit: Int)
  /// There is no campaign of that name to try.
  case unknownCampaign(CampaignID)
  case unknownVariant(String)
  /// The person wants no messages, or nothing collected: there is nothing to try.
  case collectionOff
}
