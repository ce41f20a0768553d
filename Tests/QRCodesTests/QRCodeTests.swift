import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import QRCodes
import Testing

@Suite struct QRCodeTests {
  /// What another program reads in the code: Debian's `zbarimg`, in a picture of it.
  private func reading(of code: QRCode) throws -> String {
    let quiet = 4
    let pixels = (-quiet..<code.side + quiet).flatMap { y in
      let row = (-quiet..<code.side + quiet).map { x in
        let isInside = (0..<code.side).contains(x) && (0..<code.side).contains(y)
        return String(repeating: isInside && code[x, y] ? "1 " : "0 ", count: 3)
      }
      return Array(repeating: row.joined(), count: 3)
    }
    let size = (code.side + 2 * quiet) * 3
    let picture = "P1\n\(size) \(size)\n" + pixels.joined(separator: "\n") + "\n"
    let folder = try ScratchFolder(["code.pbm": picture])
    var output = ""
    try TestLoop.run { test in
      let reader = try Program.run(
        ["--quiet", "--raw", folder.path(of: "code.pbm")], of: "zbarimg", on: test)
      #expect(reader.ending == .exited(code: 0), "\(reader.errorOutput)")
      output = reader.output
    }
    return output
  }

  @Test(arguments: [
    "matinee://192.168.1.20:7878/friday#0123456789abcdefghjkmnpqr0",
    "matinee://[2001:db8::1]:7878/Gr%C3%BC%C3%9Fe#zzzzzzzzzzzzfzzzzzzzzzzzzf", "a", "0123456789",
    "HTTPS://EXAMPLE.COM", "zwölf große Bären 🍿 日本", String(repeating: "x y ", count: 250),
  ])
  func `another program reads what was written`(text: String) throws {
    #expect(try reading(of: try QRCode(text)) == text + "\n")
  }

  // ISO/IEC 18004, table 7: the bytes of each version at level M.
  @Test(arguments: [
    (1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (106, 41), (107, 45), (2_331, 177),
  ])
  func `a code is as small as its text allows`(count: Int, side: Int) throws {
    #expect(try QRCode(String(repeating: "7", count: count)).side == side)
    #expect(try QRCode(String(repeating: "\0", count: count)).side == side)
  }

  @Test func `what no code can hold is refused`() {
    #expect(throws: QRCodeFault.empty) { try QRCode("") }
    #expect(throws: QRCodeFault.tooLong) { try QRCode(String(repeating: "7", count: 2_332)) }
    #expect(throws: QRCodeFault.tooLong) { try QRCode(String(repeating: "é", count: 1_166)) }
    #expect(throws: QRCodeFault.tooLong) { try QRCode(String(repeating: "7", count: 99_999)) }
  }

  @Test func `equal texts have equal codes`() throws {
    #expect(try QRCode("a") == QRCode("a"))
    #expect(try QRCode("a") != QRCode("b"))
  }
}
