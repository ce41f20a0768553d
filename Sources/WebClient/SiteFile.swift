/// A file of the page, as browsers get it; the bytes are part of the program.
package struct SiteFile: Sendable {
  /// The name, which is its path behind the slash.
  package let name: String
  package let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The media type (RFC 9110, 8.3).
  package var type: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }

  /// The page itself.
  package static let page = SiteFile("index.html", PackageResources.index_html)

  /// All files, the page among them.
  package static let all = [
    page,
    SiteFile("actions.js", PackageResources.actions_js),
    SiteFile("chat-view.js", PackageResources.chat_view_js),
    SiteFile("client.js", PackageResources.client_js),
    SiteFile("clock.js", PackageResources.clock_js),
    SiteFile("connection.js", PackageResources.connection_js),
    SiteFile("dom.js", PackageResources.dom_js),
    SiteFile("drift.js", PackageResources.drift_js),
    SiteFile("element-player.js", PackageResources.element_player_js),
    SiteFile("follower-state.js", PackageResources.follower_state_js),
    SiteFile("follower.js", PackageResources.follower_js),
    SiteFile("icon.svg", PackageResources.icon_svg),
    SiteFile("identity.js", PackageResources.identity_js),
    SiteFile("learning.js", PackageResources.learning_js),
    SiteFile("matinee.js", PackageResources.matinee_js),
    SiteFile("message-view.js", PackageResources.message_view_js),
    SiteFile("messages.js", PackageResources.messages_js),
    SiteFile("mirror.js", PackageResources.mirror_js),
    SiteFile("page.css", PackageResources.page_css),
    SiteFile("page.js", PackageResources.page_js),
    SiteFile("people-view.js", PackageResources.people_view_js),
    SiteFile("player-side.js", PackageResources.player_side_js),
    SiteFile("player-view.js", PackageResources.player_view_js),
    SiteFile("queue-view.js", PackageResources.queue_view_js),
    SiteFile("queue.js", PackageResources.queue_js),
    SiteFile("requests.js", PackageResources.requests_js),
    SiteFile("settings-view.js", PackageResources.settings_view_js),
    SiteFile("skew.js", PackageResources.skew_js),
    SiteFile("steering.js", PackageResources.steering_js),
    SiteFile("texts.js", PackageResources.texts_js),
    SiteFile("ticker.js", PackageResources.ticker_js),
    SiteFile("timeline.js", PackageResources.timeline_js),
    SiteFile("welcome-view.js", PackageResources.welcome_view_js),
  ]
}
