import InAppMessaging
import JSON
import Vocabulary

/// An absent body is empty.
extension InAppMessage.Body: Tagged, Fields {
  static let tag = "type"
  static let cases = CaseTable<InAppMessage.Body>(Cases.text, Cases.image, Cases.html)

  private enum Cases {
    static let text = Case("text", InAppMessage.Body.text, .open)
    static let image = Case("image", InAppMessage.Body.image, "image", "landscapeImage")
    static let html = Case("html", InAppMessage.Body.html, .open)
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .text(let text): Cases.text.write(text, to: &writer)
    case .image(let image, let landscape): Cases.image.write((image, landscape), to: &writer)
    case .html(let page): Cases.html.write(page, to: &writer)
    case .empty: break
    }
  }
}

extension InAppMessage.TextAlignment: CodedWord {}

extension InAppMessage.Text: Record {
  /// If there are both an image and an icon, the image counts, as with Braze.
  static let layout = Layout(
    {
      InAppMessage.Text(
        $2, header: $0, alignment: $3, headerAlignment: $1,
        graphic: $5.map { .image($0) } ?? $4.map { .icon($0) }, landscapeImage: $6)
    },
    Part("header", \.header), Part("headerAlignment", \.headerAlignment, absent: .center),
    Part("message", \.message), Part("messageAlignment", \.messageAlignment, absent: .center),
    Part("icon", \.icon), Part("image", \.image), Part("landscapeImage", \.landscapeImage))

  private var icon: String? { if case .icon(let icon) = graphic { icon } else { nil } }

  private var image: InAppMessage.Image? {
    if case .image(let image) = graphic { image } else { nil }
  }
}

extension InAppMessage.Image: Record {
  static let layout = Layout(
    InAppMessage.Image.init, Part("url", \.url), Part("alternativeText", \.alternativeText))
}

extension InAppMessage.Page: Record {
  static let layout = Layout(
    InAppMessage.Page.init, Part("source", \.source), Part("baseURL", \.baseURL),
    Part(.flag("allowsScripts"), \.allowsScripts))
}
