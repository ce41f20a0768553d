import Foundation

/// Standard error as a place to print to.
struct StandardError: TextOutputStream {
  mutating func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
