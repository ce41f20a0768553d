package import InAppMessaging
package import JSON
import Vocabulary

// Braze's own JSON of a message, as its SDKs before 2022 took it and its exports still have it: a
// vendor kind is a `type` with an `image_style`, colours are ARGB numbers, times milliseconds. It
// is read into the one model there is, and never written.

extension InAppMessage {
  /// Reads a message in Braze's legacy form, as a delivery of that id.
  ///
  /// - Throws: what is wrong, the field named; fields that are no more (`crop_type`, the news feed)
  ///   are ignored.
  package init(decodingLegacy object: JSONObject, as id: MessageID) throws(DecodingFlaw) {
    let kind = try object.legacyKind()
    self.init(id: id, kind: kind, body: try object.legacyBody(of: kind))
    if kind == .slideup {
      let edge = try object.legacyWord("slide_from", ["TOP": .top, "BOTTOM": .bottom], Edge.bottom)
      surface = .edge(edge)
    }
    // A tap on a slideup closes it, whatever else it does.
    let action = try object.legacyAction()
    clickAction = action == .close && kind != .slideup ? nil : action
    closing.after = try object.legacyTime(of: kind)
    orientation = try object.legacyWord(
      "orientation", ["ANY": .any, "PORTRAIT": .portrait, "LANDSCAPE": .landscape], .any)
    animatesIn = try object.optionalBool("animate_in") ?? true
    animatesOut = try object.optionalBool("animate_out") ?? true
    language = try object.optionalString("language", maximum: .max)
    extras = object.extras()
    let dark = try object.optionalObject("themes")?.optionalObject("dark")
    themes.light = try object.legacyTheme()
    themes.dark = try dark?.legacyTheme()
    buttons = try object.legacyButtons()
    try dark?.addLegacyThemes(to: &buttons)
  }
}

extension JSONObject {
  fileprivate func legacyKind() throws(DecodingFlaw) -> InAppMessage.Kind {
    if try flag("is_control") { return .control }
    let kinds: [String: InAppMessage.Kind] = [
      "SLIDEUP": .slideup, "MODAL": .modal, "FULL": .full, "HTML": .html, "HTML_FULL": .html,
      "CONTROL": .control,
    ]
    let kind = try legacyWord("type", kinds, nil)
    let isGraphic = try legacyWord("image_style", ["TOP": false, "GRAPHIC": true], false)
    return switch kind {
    case .modal where isGraphic: .modalImage
    case .full where isGraphic: .fullImage
    default: kind
    }
  }

  fileprivate func legacyBody(of kind: InAppMessage.Kind) throws(DecodingFlaw)
    -> InAppMessage.Body
  {
    let image = try optionalString("image_url", maximum: .max)
    let description = try optionalString("image_alt", maximum: .max)
    switch kind {
    case .control: return .empty
    case .html: return .html(InAppMessage.Page(try string("message", maximum: .max)))
    case .modalImage, .fullImage:
      let url = try string("image_url", maximum: .max)
      return .image(
        InAppMessage.Image(url: url, alternativeText: description), landscape: nil)
    default:
      let alignments: [String: InAppMessage.TextAlignment] = [
        "START": .leading, "CENTER": .center, "END": .trailing,
      ]
      let usual = kind == .slideup ? InAppMessage.TextAlignment.leading : .center
      var text = InAppMessage.Text(
        try string("message", maximum: .max),
        header: try optionalString("header", maximum: .max),
        alignment: try legacyWord("text_align_message", alignments, usual),
        headerAlignment: try legacyWord("text_align_header", alignments, .center))
      if let image {
        text.graphic = .image(InAppMessage.Image(url: image, alternativeText: description))
      } else if let icon = try optionalString("icon", maximum: .max) {
        text.graphic = .icon(icon)
      }
      return .text(text)
    }
  }

  fileprivate func legacyAction() throws(DecodingFlaw) -> InAppMessage.ClickAction {
    let actions = ["NONE": false, "NEWS_FEED": false, "URI": true]
    guard try legacyWord("click_action", actions, false) else { return .close }
    let url = try string("uri", maximum: .max)
    let isPage = url.lowercased().hasPrefix("https:") || url.lowercased().hasPrefix("http:")
    return isPage ? .open(url: url, inApp: try flag("use_webview")) : .deepLink(url)
  }

  /// Slideups go by themselves after five seconds, others stay; each may say otherwise.
  fileprivate func legacyTime(of kind: InAppMessage.Kind) throws(DecodingFlaw) -> Duration? {
    let isAutomatic = try legacyWord(
      "message_close",
      ["AUTO_DISMISS": true, "SWIPE": false, "MANUAL": false, "MANUAL_DISMISS": false],
      kind == .slideup)
    let milliseconds = try optionalInt64("duration", in: 0...86_400_000) ?? 5_000
    return isAutomatic ? .milliseconds(milliseconds) : nil
  }

  fileprivate func legacyButtons() throws(DecodingFlaw) -> [InAppMessage.Button] {
    guard let array = try optionalArray("btns", maximum: .max) else { return [] }
    return try array.map { (value) throws(DecodingFlaw) -> InAppMessage.Button in
      let button = try value.object()
      return InAppMessage.Button(
        id: String(try button.int64("id")), text: try button.string("text", maximum: .max),
        clickAction: try button.legacyAction(),
        themes: InAppMessage.Themes(light: try button.legacyTheme()))
    }
  }

  /// The dark colours of buttons stand apart from them, in the same order.
  fileprivate func addLegacyThemes(
    to buttons: inout [InAppMessage.Button]
  ) throws(DecodingFlaw) {
    guard let array = try optionalArray("btns", maximum: .max) else { return }
    let themes = try array.map { (value) throws(DecodingFlaw) -> InAppMessage.Theme in
      try value.object().legacyTheme()
    }
    for (index, theme) in zip(buttons.indices, themes) { buttons[index].themes.dark = theme }
  }

  fileprivate func legacyTheme() throws(DecodingFlaw) -> InAppMessage.Theme {
    var theme = InAppMessage.Theme()
    theme.background = try legacyColor("bg_color")
    theme.text = try legacyColor("text_color")
    theme.headerText = try legacyColor("header_text_color")
    theme.icon = try legacyColor("icon_color")
    theme.iconBackground = try legacyColor("icon_bg_color")
    theme.closeButton = try legacyColor("close_btn_color")
    theme.border = try legacyColor("border_color")
    theme.frame = try legacyColor("frame_color")
    return theme
  }

  private func legacyColor(_ name: String) throws(DecodingFlaw) -> Color? {
    // Java has no unsigned numbers: opaque colours are negative where an old Android wrote them.
    let range = Int64(Int32.min)...Int64(UInt32.max)
    return try optionalInt64(name, in: range).map { Color(argb: UInt32(truncatingIfNeeded: $0)) }
  }

  /// A word in capitals, which some of Braze's writers wrote small; absent, the usual one.
  fileprivate func legacyWord<Value>(
    _ name: String, _ words: [String: Value], _ usual: Value?
  ) throws(DecodingFlaw) -> Value {
    if let usual, !has(name) { return usual }
    guard let word = words[try string(name, maximum: .max).uppercased()] else {
      let allowed = words.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
      throw outOfRange(name, allowed: "one of \(allowed)")
    }
    return word
  }
}
