import InAppMessaging
import Testing

@Suite struct SwitchListViewTests {
  private func view(_ extras: [String: PropertyValue]) -> SwitchListView? {
    SwitchListView(
      message("m") {
        $0.body = .text(.init("News, Offers, Friends"))
        $0.extras = extras
      })
  }

  // Proves: A20, A21
  @Test func `all are on at first, and toggling takes one out and back`() throws {
    var list = try #require(view(["attribute_key": .string("tags")]))
    #expect(list.selection == ["News", "Offers", "Friends"])
    list.toggle(1)
    list.toggle(7)
    #expect(!list.isOn(1) && list.isOn(2) && !list.isOn(7))
    #expect(list.submission == .setAttribute(key: "tags", value: .list(["News", "Friends"])))
    list.toggle(1)
    #expect(list.selection == ["News", "Offers", "Friends"])
    for row in 0...2 { list.toggle(row) }
    #expect(list.submission == .setAttribute(key: "tags", value: .list([])))
  }

  // Proves: A20
  @Test func `submitting asks for notifications where the campaign says so`() throws {
    let list = try #require(
      view(["attribute_key": .string("tags"), "request_push": .bool(true)]))
    #expect(list.submission?.leaves.last == .requestPushPermission)
    #expect(view([:])?.submission == nil)
  }
}
