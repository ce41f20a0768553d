import Foundation
import Testing
import WebClient

@Suite struct SiteFileTests {
  @Test func `each file of the page is served`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/WebClient/Site").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(SiteFile.all.map(\.name).sorted() == names.sorted())
    for file in SiteFile.all {
      let contents = FileManager.default.contents(atPath: folder.appending(path: file.name).path())
      let isSame = contents.map(Array.init) == file.bytes
      #expect(isSame, "\(file.name)")
      #expect(file.type != "application/octet-stream", "\(file.name) has no media type")
    }
  }
}
