import ProtocolReading
import Testing
import UserNotifications
import Wire

@testable import Coordination

/// The protocol's table of refusals is the server's behaviour: nothing too much, nothing missing.
@Suite struct RefusalTests {
  private let listed: Set<Refusal>

  init() throws {
    listed = try Refusal.listed()
  }

  @Test func `what is refused in every scene is what the table lists`() throws {
    var seen: Set<Refusal> = []
    for (name, make) in RefusalScene.all {
      for request in try make().requests {
        var scene = try make()
        for code in scene.refusals(of: request) where !Refusal.common.contains(code) {
          let refusal = Refusal(request, code)
          if !listed.contains(refusal) { Issue.record("\(name): \(refusal) is not listed") }
          seen.insert(refusal)
        }
      }
    }
    #expect(listed.subtracting(seen).sorted() == [], "listed, and in no scene")
  }

  @Test func `a server that stops refuses everything but a question`() throws {
    let make = try #require(RefusalScene.all["in the session, and wrong about everything"])
    for request in try make().requests {
      var scene = try make()
      scene.stage.isHeld = true
      scene.stage.handle(.stop(isResumable: false))
      // What is asked of messages is still answered, as ever.
      let expected: [ErrorCode] =
        switch request {
        case .pair(.some), .messaging(.explain(_, of: .some)): [.forbidden]
        case .pair(nil): [.pairingRefused]
        case .notifications(.objectState(.own)): [.unknownObject]
        case .status, .renew, .notifications(.list), .notifications(.objectState): []
        case .listMedia, .openMedia: [.noMedia]
        case .attachment(_, .load): [.unknownAttachment]
        case .messaging(.explain), .messaging(.revalidate): [.messagingUnavailable]
        default: [.shuttingDown]
        }
      #expect(scene.refusals(of: request) == expected, "\(request)")
    }
  }

  @Test(arguments: 1...60)
  func `nothing is refused in any story that the table does not list`(_ seed: Int) {
    var script = RandomScript(seed: UInt64(seed))
    for _ in 0..<300 { script.step() }
    script.letGo()
    for (id, answers) in script.stage.clients.values.flatMap(\.answers) {
      guard let request = script.asked[id] else { continue }
      for case .failure(let error) in answers where !Refusal.common.contains(error.code) {
        let refusal = Refusal(request, error.code)
        #expect(listed.contains(refusal), "\(refusal) is not listed")
      }
    }
  }

  @Test func `what a request's section says of refusals stands in the table`() throws {
    let article = try ProtocolArticle()
    let chapters =
      article.chapters(startingWith: "What clients ask")
      + article.chapters(startingWith: "What participants ask")
    let table = Dictionary(grouping: listed, by: \.request).mapValues { Set($0.map(\.code)) }
    for (name, section) in chapters.flatMap(\.sections) {
      guard let start = section.firstRange(of: "Refused with")?.upperBound else { continue }
      let sentence = section[start...].prefix { $0 != "." }
      let paragraph = sentence[
        ..<(sentence.firstRange(of: "never")?.lowerBound ?? sentence.endIndex)]
      let codes = paragraph.split(separator: "`").compactMap { ErrorCode(rawValue: String($0)) }
      for code in codes {
        #expect(table[name]?.contains(code) == true, "\(name): \(code)")
      }
    }
  }
}
