internal import EventLoops
package import FolderTesting
package import LoopTesting

/// Files with a certificate for `localhost` and 127.0.0.1 and its key, as an authority or a person
/// makes them.
package struct TestCertificate {
  /// The path of the certificate, which is its own authority; PEM.
  package let certificate: String
  /// The path of its key; PEM.
  package let key: String

  /// Makes the files `NAME.pem` and `NAME.key` with OpenSSL's own program.
  package init(_ name: String = "own", in folder: ScratchFolder, on test: TestLoop) throws {
    (certificate, key) = (folder.path(of: "\(name).pem"), folder.path(of: "\(name).key"))
    let openssl = try Program.run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", key, "-out", certificate,
      ], of: "openssl", on: test)
    guard openssl.ending == .exited(code: 0) else {
      throw OpenSSLFailed(words: openssl.errorOutput)
    }
    _ = try Program.run(["600", key], of: "chmod", on: test)
  }

  /// OpenSSL's program made no certificate; it said this.
  private struct OpenSSLFailed: Error {
    let words: String
  }

  /// The options with which a server proves itself by it.
  package var options: [String] { ["--tls-certificate", certificate, "--tls-key", key] }
}
