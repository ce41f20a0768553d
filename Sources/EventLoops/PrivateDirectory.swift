internal import CLibuv

/// A directory that only this user can look into, for sockets that nobody else may connect to.
///
/// It stays until ``remove(files:)``; a killed process leaves it behind where the system clears up.
package struct PrivateDirectory: Equatable, Sendable {
  /// Where it is.
  package let path: String

  /// Makes a directory of a new name, with mode 0700 (mkdtemp(3)).
  ///
  /// Blocks, as making a directory does: not for the middle of busy work.
  ///
  /// - Parameters:
  ///   - prefix: what its name begins with, without slashes.
  ///   - parent: where to make it; nil means where the system wants temporary files.
  /// - Throws: the system's error.
  package init(prefix: String, in parent: String? = nil) throws(UVError) {
    let place = if let parent { parent } else { try Self.temporary() }
    var request = unsafe uv_fs_t()
    let status = unsafe uv_fs_mkdtemp(nil, &request, "\(place)/\(prefix)XXXXXX", nil)
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check("mkdtemp", status)
    guard let path = unsafe request.path else { throw UVError("mkdtemp", .noSuchFile) }
    self.path = unsafe String(cString: path)
  }

  /// Makes a directory at a path, with mode 0700, and those above it that are not there.
  ///
  /// Blocks, as making directories does.
  ///
  /// - Throws: the system's error, such as that a file stands in the way.
  package static func make(at path: String) throws(UVError) {
    var request = unsafe uv_fs_t()
    var way = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      way += "\(name)/"
      // What is there already need not be made, even where nothing can be written.
      guard !isThere(way) else { continue }
      let status = unsafe uv_fs_mkdir(nil, &request, way, 0o700, nil)
      unsafe uv_fs_req_cleanup(&request)
      if status == UV_EEXIST.rawValue { throw UVError("mkdir", .notDirectory) }
      try UVError.check("mkdir", status)
    }
  }

  private static func isThere(_ path: String) -> Bool {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    // The slash at its end makes it a directory or an error.
    return unsafe uv_fs_stat(nil, &request, path, nil) == 0
  }

  /// Where a file of that name is in it.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Removes the named files and then the directory, as far as they are there.
  package func remove(files names: [String]) {
    var request = unsafe uv_fs_t()
    for name in names {
      // What is not there need not go.
      _ = unsafe uv_fs_unlink(nil, &request, path(of: name), nil)
      unsafe uv_fs_req_cleanup(&request)
    }
    _ = unsafe uv_fs_rmdir(nil, &request, path, nil)
    unsafe uv_fs_req_cleanup(&request)
  }

  private static func temporary() throws(UVError) -> String {
    // As long as a path may be (PATH_MAX).
    var bytes = [CChar](repeating: 0, count: 4096)
    var size = bytes.count
    try UVError.check("tmpdir", unsafe uv_os_tmpdir(&bytes, &size))
    return String(decoding: bytes.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
