import InAppMessaging
import JSON

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
    RecordField("header", \.header),
    RecordField("headerAlignment", \.headerAlignment, absent: .center),
    RecordField("message", \.message),
    RecordField("messageAlignment", \.messageAlignment, absent: .center),
    RecordField("icon", \.icon), RecordField("image", \.image),
    RecordField("landscapeImage", \.landscapeImage))

  private var icon: String? { if case .icon(let icon) = graphic { icon } else { nil } }

  private var image: InAppMessage.Image? {
    if case .image(let image) = graphic { image } else { nil }
  }
}

extension InAppMessage.Image: Record {
  static let layout = Layout(
    InAppMessage.Image.init, RecordField("url", \.url),
    RecordField("alternativeText", \.alternativeText))
}

extension InAppMessage.Page: Record {
  static let layout = Layout(
    InAppMessage.Page.init, RecordField("source", \.source), RecordField("baseURL", \.baseURL),
    RecordField(.flag("allowsScripts"), \.allowsScripts))
}
