import HTTP
import Testing

@Suite("Where requests go")
struct HTTPTargetTests {
  @Test(
    "paths are decoded",
    arguments: [
      ("/", "/"), ("/a/b.js", "/a/b.js"), ("/a/", "/a/"), ("/caf%C3%A9", "/café"),
      ("/a%20b", "/a b"), ("/a+b", "/a+b"), ("/%25", "/%"), ("/%3F?x", "/?"), ("/...", "/..."),
      ("/.well-known/x", "/.well-known/x"), ("http://other.org/a", "/a"), ("HTTP://b", "/"),
      ("https://b?x", "/"),
    ])
  func decodes(target: String, path: String) throws {
    #expect(try #require(asked(target: target)).target.path == path)
  }

  @Test(
    "what leads out of a folder, or is read in two ways, is refused",
    arguments: [
      "/..", "/../a", "/a/../b", "/a/..", "/%2e%2e/a", "/.%2E", "/./a", "/a%2Fb", "/a%5Cb", "/a\\b",
      "//a", "/a//b", "/%00", "/a%0Ab", "/%7F", "/%C2%85", "/%", "/%4", "/%4G", "/%FF", "/%C0%AF",
      "/a#b", "a", "a:80", "ftp://a/b", "http://", "http:///a", "http://a@b/", "*",
    ])
  func refuses(target: String) {
    #expect(Reading(head("GET \(target) HTTP/1.1", "Host: a")).summary == "400")
  }

  @Test("a target with a host says which is meant")
  func host() throws {
    #expect(try #require(asked(target: "http://b:8/a")).host == "b:8")
    #expect(try #require(asked(target: "/a")).host == "example.org")
    let options = try #require(asked(method: "OPTIONS", target: "*"))
    #expect(options.target.path == "*" && options.target.query == "")
  }
}
