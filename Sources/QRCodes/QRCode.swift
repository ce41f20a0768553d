import CLibqrencode

/// A text as a QR code (ISO/IEC 18004): a square of dark and light modules.
package struct QRCode: Equatable, Sendable {
  /// The number of modules in a row, without the quiet zone around the code.
  package let side: Int
  /// Whether each module is dark, row by row.
  private let isDark: [Bool]

  /// The longest text in bytes: what the largest code holds at level M.
  package static let longest = 2_331

  /// Encodes a text as UTF-8 in the smallest code that holds it.
  ///
  /// A reader can restore the text if 15 % of the code is not legible (level M).
  package init(_ text: String) throws(QRCodeFault) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= Self.longest else { throw .tooLong }
    // Version 0 stands for the smallest one.
    let code = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
    guard let code = unsafe code else { throw .failed }
    defer { unsafe QRcode_free(code) }
    side = Int(unsafe code.pointee.width)
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: side * side)
    // The other bits of a module tell what it belongs to.
    isDark = unsafe modules.map { $0 & 1 == 1 }
  }

  /// Whether a module is dark.
  ///
  /// - Parameters:
  ///   - x: its column, from 0 at the left.
  ///   - y: its row, from 0 at the top.
  package subscript(x: Int, y: Int) -> Bool {
    precondition((0..<side).contains(x) && (0..<side).contains(y), "a module of the code")
    return isDark[y * side + x]
  }
}

/// Why a text has no QR code.
package enum QRCodeFault: Error, Equatable, Sendable {
  /// There is no text.
  case empty
  /// It has more than ``QRCode/longest`` bytes.
  case tooLong
  /// There is no memory.
  case failed
}
