/// One of the campaigns that Matinee brings along.
package struct ShippedCampaign: Equatable, Sendable {
  /// The file's name without its ending, and the campaign's id.
  package let name: String
  /// What stands in the file.
  package let text: String

  /// All of them, in the order of their names.
  package static let all = [
    ShippedCampaign("banner", PackageResources.banner_yaml),
    ShippedCampaign("genre-picker", PackageResources.genre_picker_yaml),
    ShippedCampaign("genre-thanks", PackageResources.genre_thanks_yaml),
    ShippedCampaign("preferences", PackageResources.preferences_yaml),
    ShippedCampaign("promotion", PackageResources.promotion_yaml),
    ShippedCampaign("push-primer", PackageResources.push_primer_yaml),
    ShippedCampaign("watch-player", PackageResources.watch_player_yaml),
  ]

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    text = String(decoding: bytes, as: UTF8.self)
  }

  static func entries() throws(CampaignFilesError) -> [CampaignEntry] {
    try CampaignFileSet.read(all.map { ("shipped/\($0.name).yaml", $0.text) })
  }
}
