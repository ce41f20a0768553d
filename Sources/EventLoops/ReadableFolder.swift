internal import CLibuv
internal import SystemLibrary

/// A folder whose files are read, and nothing outside of it: no link is followed below it, and nothing
/// hidden is seen.
///
/// The folder stays open, so that nobody can put another one in its place. All calls block.
package final class ReadableFolder: Sendable {
  /// How deep folders lie within each other: collections have a genre, a series and a season.
  private static let deepest = 8
  private let descriptor: Int32

  /// A file in the folder.
  package struct Entry: Equatable, Sendable {
    /// The names of folders and file, with slashes between them.
    package let path: String
    /// In bytes.
    package let size: Int
  }

  /// Opens the folder; its own path may lead over links.
  package init(_ path: String) throws(UVError) {
    let descriptor = unsafe SystemLibrary.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw lastError("open") }
    self.descriptor = descriptor
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the names of folders and file, with slashes between them.
  ///   - closer: closes the file once nobody uses it any more.
  /// - Returns: `nil` if there is none that may be read; what is hidden, a link or a device is none.
  package func open(_ path: String, closedBy closer: FileCloser) -> ReadableFile? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= Self.deepest, names.allSatisfy(Self.isVisible) else { return nil }
    var folder = self
    for name in names.dropLast() {
      guard let next = folder.folder(name) else { return nil }
      folder = next
    }
    return names.last.flatMap { folder.file($0, closedBy: closer) }
  }

  /// The files below the folder, sorted by their paths.
  ///
  /// - Parameters:
  ///   - most: how many at most; the search ends there.
  ///   - isWanted: chooses by a file's name.
  /// - Returns: the files, and whether there may be more.
  package func entries(
    atMost most: Int, where isWanted: (String) -> Bool
  ) -> (entries: [Entry], hasMore: Bool) {
    var entries: [Entry] = []
    // A folder of a million other files is not read to its end.
    var left = most * 16
    collect(into: &entries, below: "", depth: 1, &left, atMost: most, where: isWanted)
    return (entries.sorted { $0.path < $1.path }, entries.count >= most || left <= 0)
  }

  private func collect(
    into entries: inout [Entry], below path: String, depth: Int, _ left: inout Int,
    atMost most: Int, where isWanted: (String) -> Bool
  ) {
    for name in names(atMost: left) {
      left -= 1
      guard entries.count < most, left > 0 else { return }
      if isWanted(name), let file = file(name) {
        entries.append(Entry(path: path + name, size: file.size))
      } else if depth < Self.deepest, let folder = folder(name) {
        folder.collect(
          into: &entries, below: "\(path)\(name)/", depth: depth + 1, &left, atMost: most,
          where: isWanted)
      }
    }
  }

  /// The visible names in this folder, sorted.
  private func names(atMost most: Int) -> [String] {
    // A second descriptor, because reading moves its position, and closing the list closes it.
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard copy >= 0 else { return [] }
    guard let list = unsafe fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { unsafe closedir(list) }
    var names: [String] = []
    while names.count < most, let entry = unsafe readdir(list) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      if let name, Self.isVisible(name) { names.append(name) }
    }
    return names.sorted()
  }

  private static func isVisible(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(0) && !name.contains("/")
  }

  private func folder(_ name: String) -> ReadableFolder? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let folder = unsafe openat(descriptor, name, flags, 0)
    return folder < 0 ? nil : ReadableFolder(folder)
  }

  private func file(_ name: String, closedBy closer: FileCloser? = nil) -> ReadableFile? {
    // Nonblocking, so that opening a pipe without a writer does not wait.
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
    return file < 0 ? nil : ReadableFile(file, closedBy: closer)
  }
}

/// A file that is open for reading.
///
/// All calls block.
package final class ReadableFile: Sendable {
  /// In bytes, when it was opened.
  package let size: Int
  /// When its content was last changed, in nanoseconds since 1970.
  package let changed: Int
  private let descriptor: Int32
  private let closer: FileCloser?

  /// Takes an open descriptor; `nil` unless it is a regular file's.
  fileprivate init?(_ descriptor: Int32, closedBy closer: FileCloser?) {
    var status = stat()
    let isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isRegular else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.closer = closer
    size = Int(status.st_size)
    let modified = modificationTime(status)
    changed = modified.tv_sec * 1_000_000_000 + modified.tv_nsec
  }

  deinit {
    if let closer {
      closer.close(descriptor)
    } else {
      close(descriptor)
    }
  }

  /// Reads bytes.
  ///
  /// - Returns: all bytes of the range, or those up to where the file ends now.
  package func read(_ range: Range<Int>) throws(UVError) -> SharedBytes {
    var failure: UVError?
    let bytes = SharedBytes(capacity: range.count) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        while count < range.count {
          let free = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.advanced(by: count)
          let step = unsafe pread(
            descriptor, free, range.count - count, off_t(range.lowerBound + count))
          guard step > 0 else {
            if step < 0 { failure = lastError("read") }
            return
          }
          count += step
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Closes files on a thread of its own.
///
/// Closing a file on a network's disk waits for the disk, and the last user of a file is often on a
/// loop's thread. Any thread may use this type. The thread ends once no file needs it any more.
package final class FileCloser: Sendable {
  private let unclosed: Locked<Int>
  private let thread: BatchThread<Int32>

  /// Starts the thread.
  ///
  /// - Throws: the system's error if no thread can be started.
  package init() throws(UVError) {
    let unclosed = Locked(0)
    self.unclosed = unclosed
    thread = try BatchThread(every: .zero) { DescriptorCloser { unclosed.withLock { $0 -= 1 } } }
  }

  deinit {
    thread.stop()
  }

  /// How many files wait to be closed.
  package var waiting: Int { unclosed.withLock { $0 } }

  fileprivate func close(_ descriptor: Int32) {
    unclosed.withLock { $0 += 1 }
    thread.post(descriptor)
  }
}

/// Closes the files of a ``FileCloser``, on its thread.
private final class DescriptorCloser: BatchConsumer {
  private let didClose: () -> Void

  init(_ didClose: @escaping () -> Void) {
    self.didClose = didClose
  }

  func consume(_ descriptors: [Int32]) {
    for descriptor in descriptors {
      close(descriptor)
      didClose()
    }
  }
}

@available(*, unavailable)
extension DescriptorCloser: Sendable {}
