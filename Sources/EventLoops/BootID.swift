internal import Glibc

/// Which start of this machine's kernel it is.
///
/// ``EventLoop`` times of two processes can be compared if they are of one boot.
package enum BootID {
  /// The kernel's random id of this boot; `nil` where it tells none (random(4)).
  package static func read() -> String? {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
