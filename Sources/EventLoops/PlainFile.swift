internal import SystemLibrary

/// A file that is no secret.
package enum PlainFile {
  /// Checks that there is a file, and that this process may read it.
  ///
  /// Blocks.
  ///
  /// - Throws: the system's error.
  package static func checkReadable(_ path: String) throws(UVError) {
    guard unsafe access(path, R_OK) == 0 else { throw lastError("access") }
  }
}
