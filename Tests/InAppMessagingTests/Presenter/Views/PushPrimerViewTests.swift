import InAppMessaging
import Testing

@Suite struct PushPrimerViewTests {
  // Proves: A20
  @Test func `agreeing asks the system`() {
    let primer = PushPrimerView(message("m") { $0.body = .text(.init("May we?", header: "News")) })
    #expect(primer?.title == "News")
    #expect(primer?.message == "May we?")
    #expect(primer?.agreement == .requestPushPermission)
    #expect(PushPrimerView(message("m", kind: .html)) == nil)
  }
}
