import InAppMessaging
import Testing

@Suite struct MediaURLGuardTests {
  // Proves: S8
  @Test(
    arguments: [
      ("https://example.com/a.mp4", nil), ("https://example.com/a.M3U8?token=1#t=2", nil),
      ("HTTPS://Example.COM:443/dir/a.b.webm", nil), ("https://[2606:2800:220:1::1]/a.mp4", nil),
      ("https://example.com./a.mp4", nil), ("https://8.8.8.8/a.mp4", nil),
      ("", .empty), ("film", .malformed), ("https:/example.com/a.mp4", .malformed),
      ("https://exa mple.com/a.mp4", .malformed), ("https://example.com/a\n.mp4", .malformed),
      ("https://exämple.com/a.mp4", .malformed), ("https://a.com\\@b.com/a.mp4", .malformed),
      ("https://example.com:99999/a.mp4", .malformed), ("https://example.com:1x/a.mp4", .malformed),
      ("https://a..com/a.mp4", .malformed), ("https://[::1/a.mp4", .malformed),
      ("https://127.1/a.mp4", .malformed), ("https://2130706433/a.mp4", .malformed),
      ("https://0x7f.0.0.1/a.mp4", .malformed), ("https://0x7f000001/a.mp4", .malformed),
      ("https://127.0.0.01/a.mp4", .malformed), ("https://%31%32%37.0.0.1/a.mp4", .malformed),
      ("http://example.com/a.mp4", .scheme), ("ftp://example.com/a.mp4", .scheme),
      ("file:///home/a.mp4", .scheme), ("javascript://example.com/%0aalert(1).mp4", .scheme),
      ("https:///a.mp4", .noHost), ("https://:443/a.mp4", .noHost),
      ("https://me@example.com/a.mp4", .userInformation),
      ("https://example.com@10.0.0.1/a.mp4", .userInformation),
      ("https://localhost/a.mp4", .privateHost), ("https://tv.local/a.mp4", .privateHost),
      ("https://router/a.mp4", .privateHost), ("https://127.0.0.1/a.mp4", .privateHost),
      ("https://10.1.2.3/a.mp4", .privateHost), ("https://172.16.0.1/a.mp4", .privateHost),
      ("https://172.32.0.1/a.mp4", nil), ("https://192.168.1.1/a.mp4", .privateHost),
      ("https://169.254.169.254/a.mp4", .privateHost), ("https://0.0.0.0/a.mp4", .privateHost),
      ("https://[::1]/a.mp4", .privateHost), ("https://[fe80::1]/a.mp4", .privateHost),
      ("https://[fd00::1]/a.mp4", .privateHost), ("https://[::ffff:127.0.0.1]/a.mp4", .privateHost),
      ("https://[::ffff:7f00:1]/a.mp4", .privateHost), ("https://[::ffff:8.8.8.8]/a.mp4", nil),
      ("https://youtube.com/watch?v=x.mp4", .page), ("https://www.youtube.com/a.mp4", .page),
      ("https://youtu.be/x", .page), ("https://notyoutube.com/a.mp4", nil),
      ("https://example.com/a", nil), ("https://example.com/a.html", .unknownType),
      ("https://example.com/a.html?b=c.mp4", .unknownType), ("https://example.com/a?b=c.html", nil),
      ("/home/film.mp4", .malformed),
    ] as [(String, MediaURLFault?)])
  func `only a video elsewhere on the web is let through`(url: String, fault: MediaURLFault?) {
    #expect(MediaURLGuard().fault(of: url) == fault)
  }

  @Test func `a URL longer than anybody takes is refused`() {
    let long = "https://example.com/" + String(repeating: "a", count: 2_024) + ".mp4"
    #expect(MediaURLGuard().fault(of: long) == nil)
    #expect(MediaURLGuard().fault(of: "https://example.com/a" + long.dropFirst(20)) == .tooLong)
  }

  @Test func `who develops may use http and machines nearby, and nothing more`() {
    var media = MediaURLGuard()
    media.allowsDevelopment = true
    #expect(media.fault(of: "http://localhost:8080/a.mp4") == nil)
    #expect(media.fault(of: "http://[::1]/a.mp4") == nil)
    #expect(media.fault(of: "http://192.168.1.2/a.mp4") == nil)
    #expect(media.fault(of: "ftp://localhost/a.mp4") == .scheme)
    #expect(media.fault(of: "http://me@localhost/a.mp4") == .userInformation)
    #expect(media.fault(of: "/a.mp4") == .malformed)
  }

  @Test func `where the app says so a file's path will do`() {
    var media = MediaURLGuard()
    media.allowsFiles = true
    #expect(media.fault(of: "/films/my film.mp4") == nil)
    #expect(media.fault(of: "/films/notes.txt") == .unknownType)
    #expect(media.fault(of: "/films.mp4/notes") == .unknownType)
    #expect(media.fault(of: "/films/a\u{0}.mp4") == .malformed)
    #expect(media.fault(of: "films/a.mp4") == .malformed)
    #expect(media.fault(of: "javascript:a.mp4") == .malformed)
    #expect(media.fault(of: "http://example.com/a.mp4") == .scheme)
  }

  @Test(
    arguments: [
      ("film.mp4", nil), ("da5973094b77", nil), ("**Hidden filename**", nil),
      ("notes.txt", .unknownType), ("a\u{0}.mp4", .malformed),
    ] as [(String, MediaURLFault?)])
  func `so will a file's name, shown or hidden`(name: String, fault: MediaURLFault?) {
    var media = MediaURLGuard()
    media.allowsNames = true
    #expect(media.fault(of: name) == fault)
    #expect(MediaURLGuard.authors.fault(of: name) != nil)
    #expect(MediaURLGuard().fault(of: name) == .malformed)
  }

  @Test func `a trusted host need not say what its videos are`() {
    var media = MediaURLGuard()
    media.trustedHosts = ["videos.example"]
    #expect(media.fault(of: "https://videos.example/watch.php") == nil)
    #expect(media.fault(of: "https://eu.videos.example/1.php") == nil)
    #expect(media.fault(of: "https://evilvideos.example/1.php") == .unknownType)
    #expect(media.fault(of: "http://videos.example/1") == .scheme)
  }

  @Test func `the server's own campaigns play any address, and from nearby also by http`() {
    let media = MediaURLGuard().forCampaigns
    #expect(media.fault(of: "https://example.com/watch.php?id=7") == nil)
    #expect(media.fault(of: "http://192.168.1.2/trailer") == nil)
    #expect(media.fault(of: "http://nas.local/trailer.mp4") == nil)
    #expect(media.fault(of: "http://example.com/trailer.mp4") == .scheme)
    #expect(media.fault(of: "https://me@example.com/trailer.mp4") == .userInformation)
    #expect(media.fault(of: "https://youtu.be/x") == .page)
  }
}
