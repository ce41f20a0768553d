import InAppMessaging
import JSON
import Naming
import Testing
import Vocabulary
import Wire

/// Messages in Braze's legacy JSON, read as messages of ours.
@Suite struct LegacyMessageTests {
  private func message(_ text: String) throws(DecodingFlaw) -> InAppMessage {
    var parser = JSONParser(maximumBytes: 1 << 16)
    return try parser.parse(Array(text.utf8).span) { (object) throws(DecodingFlaw) in
      try InAppMessage(decodingLegacy: object, as: "m")
    }
  }

  /// Every field at once.
  private static let modal =
    #"{"type":"MODAL","image_style":"TOP","message":"Body","header":"Head","#
    + #""text_align_message":"START","text_align_header":"END","image_url":"https://e.org/i.png","#
    + #""image_alt":"Alt","icon":"\uf042","click_action":"URI","uri":"https://e.org","#
    + #""use_webview":true,"message_close":"AUTO_DISMISS","duration":7000,"#
    + #""orientation":"PORTRAIT","animate_in":false,"animate_out":false,"language":"ja","#
    + #""extras":{"view_type":"picker","n":5},"bg_color":4294243575,"text_color":-16777216,"#
    + #""header_text_color":1,"close_btn_color":2,"frame_color":3,"icon_color":4,"#
    + #""icon_bg_color":5,"crop_type":"FIT_CENTER","btns":[{"id":0,"text":"No","#
    + #""click_action":"NONE"},{"id":1,"text":"Yes","click_action":"URI","uri":"club://a","#
    + #""bg_color":6,"border_color":7}],"themes":{"dark":{"bg_color":8,"#
    + #""btns":[{},{"text_color":9}]}}}"#

  // Proves: A25
  @Test func `a modal of old is a modal of today`() throws {
    var text = InAppMessage.Text(
      "Body", header: "Head", alignment: .leading, headerAlignment: .trailing)
    text.graphic = .image(.init(url: "https://e.org/i.png", alternativeText: "Alt"))
    var expected = InAppMessage(id: "m", kind: .modal, body: .text(text))
    expected.clickAction = .open(url: "https://e.org", inApp: true)
    expected.closing.after = .seconds(7)
    expected.orientation = .portrait
    expected.animatesIn = false
    expected.animatesOut = false
    expected.language = "ja"
    expected.extras = ["view_type": .string("picker"), "n": .number(5)]
    expected.themes.light.background = Color(argb: 4_294_243_575)
    expected.themes.light.text = Color(argb: 0xFF00_0000)
    expected.themes.light.headerText = Color(argb: 1)
    expected.themes.light.closeButton = Color(argb: 2)
    expected.themes.light.frame = Color(argb: 3)
    expected.themes.light.icon = Color(argb: 4)
    expected.themes.light.iconBackground = Color(argb: 5)
    expected.themes.dark = InAppMessage.Theme()
    expected.themes.dark?.background = Color(argb: 8)
    expected.buttons = [
      .init(id: "0", text: "No", themes: .init(dark: .init())),
      .init(id: "1", text: "Yes", clickAction: .deepLink("club://a"), themes: .init(dark: .init())),
    ]
    expected.buttons[1].themes.light.background = Color(argb: 6)
    expected.buttons[1].themes.light.border = Color(argb: 7)
    expected.buttons[1].themes.dark?.text = Color(argb: 9)
    #expect(try message(Self.modal) == expected)
  }

  // Proves: A25
  @Test(
    arguments: [
      (#""type":"SLIDEUP","message":"m""#, .slideup), (#""type":"modal","message":"m""#, .modal),
      (#""type":"MODAL","image_style":"GRAPHIC","image_url":"u""#, .modalImage),
      (#""type":"FULL","message":"m","image_style":"TOP""#, .full),
      (#""type":"FULL","image_style":"GRAPHIC","image_url":"u""#, .fullImage),
      (#""type":"HTML","message":"<p>""#, .html), (#""type":"HTML_FULL","message":"<p>""#, .html),
      (#""type":"CONTROL""#, .control), (#""is_control":true"#, .control),
    ] as [(String, InAppMessage.Kind)])
  func `type and image style are a kind`(fields: String, kind: InAppMessage.Kind) throws {
    let message = try message("{" + fields + "}")
    #expect(message.kind == kind)
    // What the legacy form leaves out is as the kind has it today.
    let usual = InAppMessage(id: "m", kind: kind, body: message.body)
    #expect(message.closing == usual.closing)
    #expect(message.surface == usual.surface)
    #expect(message.impression == usual.impression)
    #expect(message.clickAction == (kind == .slideup ? .close : nil))
  }

  @Test func `a slideup of old stands at its edge, for as long as it says`() throws {
    let top = try message(
      #"{"type":"SLIDEUP","message":"m","slide_from":"TOP","message_close":"SWIPE"}"#)
    #expect(top.surface == .edge(.top))
    #expect(top.closing.after == nil)
    #expect(top.closing.bySwipe)
    guard case .text(let text) = top.body else {
      Issue.record("it is a text")
      return
    }
    #expect(text.messageAlignment == .leading)
  }

  @Test(
    arguments: [
      (#"{}"#, "type"), (#"{"type":"BANNER","message":"m"}"#, "type"),
      (#"{"type":"MODAL"}"#, "message"),
      (#"{"type":"MODAL","image_style":"GRAPHIC","message":"m"}"#, "image_url"),
      (#"{"type":"MODAL","message":"m","click_action":"URI"}"#, "uri"),
      (#"{"type":"MODAL","message":"m","bg_color":4294967296}"#, "bg_color"),
      (#"{"type":"MODAL","message":"m","btns":[{"id":"a","text":"b"}]}"#, "btns[0].id"),
      (
        #"{"type":"MODAL","message":"m","themes":{"dark":{"text_color":""}}}"#,
        "themes.dark.text_color"
      ),
    ])
  func `what is wrong is named by its way`(text: String, field: String) {
    do throws(DecodingFlaw) {
      _ = try message(text)
      Issue.record("it is refused")
    } catch {
      #expect(error.description.contains("'\(field)'"))
    }
  }
}
