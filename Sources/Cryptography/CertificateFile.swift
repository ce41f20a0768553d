import CLibcrypto

/// A PEM file with certificates (RFC 7468, 5).
package enum CertificateFile {
  /// The number of certificates in a file, up to the first that is not readable; 0 if the file
  /// cannot be read.
  ///
  /// Blocks.
  package static func count(in path: String) -> Int {
    defer { ERR_clear_error() }
    guard let source = unsafe BIO_new_file(path, "r") else { return 0 }
    defer { _ = unsafe BIO_free(source) }
    var count = 0
    while let certificate = unsafe PEM_read_bio_X509(source, nil, nil, nil) {
      unsafe X509_free(certificate)
      count += 1
    }
    return count
  }
}
