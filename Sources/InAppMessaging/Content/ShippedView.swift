/// The views that come along, by the names that campaigns call them in ``ViewRegistry/typeKey``.
///
/// Authors, servers and clients go by one and the same list, so that what a server takes is what a
/// client shows.
package enum ShippedView: String, Hashable, Sendable, CaseIterable {
  /// A player of a video, which hosts a session's watching.
  case video
  /// A choice of one of the items that the text lists.
  case picker
  /// Switches for the items that the text lists.
  case tableList = "table_list"
  /// The question before the system's question for notifications.
  case permission

  /// What the view needs of a message.
  ///
  /// A list without an attribute to keep the choice in is shown, and nothing can be submitted.
  package var schema: ExtrasSchema {
    switch self {
    case .video:
      ExtrasSchema([
        ExtrasSchema.Field(VideoView.urlKey, .video),
        ExtrasSchema.Field(VideoView.titleKey, .text, isRequired: false),
      ])
    case .picker, .tableList:
      ExtrasSchema(
        [ExtrasSchema.Field(ItemList.key, .text, isRequired: false)], items: .exact)
    case .permission: ExtrasSchema(asksForPush: true)
    }
  }
}
