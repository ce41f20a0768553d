/// A list of C strings with nil after the last one, as `execve` wants them.
typealias CStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Calls `body` with the texts as C strings, valid during the call; nil stays nil.
func withCStrings<Result>(_ texts: [String]?, _ body: (CStrings?) -> Result) -> Result {
  guard let texts else { return body(nil) }
  // All texts in one array, each ended by a zero, and where each begins.
  var bytes: [CChar] = []
  var starts: [Int] = []
  for text in texts {
    starts.append(bytes.count)
    bytes.append(contentsOf: text.utf8.map { CChar(bitPattern: $0) })
    bytes.append(0)
  }
  return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
    var list: [UnsafeMutablePointer<CChar>?] = unsafe starts.map { start in
      unsafe bytes.baseAddress?.advanced(by: start)
    }
    unsafe list.append(nil)
    return unsafe list.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
  }
}
