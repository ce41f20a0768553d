import ArgumentParser
import Foundation
import Server
import Testing
import Vocabulary

@testable import matinee

/// Where browsers find the page, and the links that lead there.
@Suite struct PageAddressTests {
  private static let key = "0123456789abcdefghjkmnpqr0"

  /// A group, and the link that the page itself makes for it.
  private struct Case: Decodable {
    let group: String
    let link: String
  }

  @Test func `a link to a group is the one that the page's own dialog makes`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Browser/Cases/page-links.json")
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    let page = try PageAddress(option: "https://film.example")
    #expect(!cases.isEmpty)
    for one in cases {
      #expect(page.link(to: GroupID(one.group), key: Self.key) == one.link)
    }
  }

  @Test func `a link that opens groups names none`() throws {
    let page = try PageAddress(option: "https://film.example:8443")
    #expect(page.link(to: nil, key: Self.key) == "https://film.example:8443/#\(Self.key)")
  }

  @Test(arguments: [
    ("https://film.example", "https://film.example"),
    ("HTTPS://Film.Example/", "https://film.example"),
    ("https://film.example:443", "https://film.example"),
    ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://localhost:80", "http://localhost"),
  ])
  func `an address is written as browsers write origins`(text: String, origin: String) throws {
    #expect(try PageAddress(option: text).origin == origin)
  }

  @Test(arguments: [
    ("film.example", "such as https://film.example"), ("", "such as https://film.example"),
    ("matinee://film.example", "such as https://film.example"),
    ("https://film.example/friday", "without a group or a key"),
    ("https://film.example/#\(key)", "without a group or a key"),
    ("https://film.example?group=a.b", "without a group or a key"),
    ("https://film.example#", "without a group or a key"),
    ("https://ann@film.example", "without a name"), ("https://film.example:0", "a port"),
    ("https://film.example:99999", "such as https://film.example"),
    ("http://film.example", "with https"),
  ])
  func `a mistake is told with what would be right, and without a key`(
    text: String, words: String
  ) throws {
    let error = #expect(throws: ValidationError.self) { try PageAddress(option: text) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(Self.key) == false)
  }

  /// Where a server with these options has its page.
  private func origin(
    of options: [String], at addresses: [String], hasCertificate: Bool = false
  ) throws -> String? {
    let parsed = try WebOptions.parse(options)
    return try parsed.page(at: addresses, hasCertificate: hasCertificate) { host in
      host == "::" ? "film.example" : host ?? ""
    }?.origin
  }

  @Test func `a server has its page where people elsewhere reach it best`() throws {
    let proxy = ["--http", "127.0.0.1:8080", "--page", "https://watch.example"]
    let local = "127.0.0.1:8080"
    #expect(try origin(of: [], at: []) == nil)
    #expect(try origin(of: ["--http", local], at: [local]) == "http://127.0.0.1:8080")
    #expect(try origin(of: proxy, at: [local]) == "https://watch.example")
    #expect(
      try origin(of: ["--http", local], at: [local, "[::]:443"], hasCertificate: true)
        == "https://film.example")
    #expect(
      try origin(of: proxy, at: ["[::]:8443"], hasCertificate: true) == "https://watch.example")
    // Behind a proxy on another machine, which encrypts.
    #expect(try origin(of: proxy, at: ["[::]:8080"]) == "https://watch.example")
    #expect(try origin(of: ["--http", "[::]:80"], at: ["[::]:80"]) == "http://film.example")
    // No authority vouches for an address of this machine.
    #expect(
      try origin(of: ["--http", local], at: [local], hasCertificate: true)
        == "http://127.0.0.1:8080")
  }

  @Test func `the key is never printed under the address of an app's own page`() throws {
    let app = ["--http", "[::]:8080", "--origin", "https://app.example"]
    #expect(try origin(of: app, at: ["[::]:8080"]) == "http://film.example:8080")
    #expect(
      try origin(of: app, at: ["[::]:8080"], hasCertificate: true) == "https://film.example:8080")
    let local = "127.0.0.1:8080"
    #expect(
      try origin(of: ["--http", local, "--origin", "https://app.example"], at: [local])
        == "http://127.0.0.1:8080")
  }
}
