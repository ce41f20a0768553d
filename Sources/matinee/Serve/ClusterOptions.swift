import ArgumentParser
import Clusters
import EventLoops
import Journals
import PushTransports
import Server
import TLS
import Vocabulary

/// The servers that share a journal: one of them decides, and the others stand by.
struct ClusterOptions: ParsableArguments {
  @Flag(
    name: .customLong("standby"),
    help: ArgumentHelp(
      "Wait while another server has the journal, and take it over when that one dies or stops.",
      discussion: """
        For a journal in PostgreSQL. Give it to all servers: whichever comes first serves, and one \
        that is replaced exits with 75, to be started again.
        """))
  var standsBy = false

  @Option(
    name: .customLong("advertise"),
    help: ArgumentHelp(
      "Like --standby, but take people in meanwhile. Other servers reach this one at the address.",
      discussion: """
        A server that stands by listens, too, and passes on what people say to the server that has \
        the journal, over a link to the address which that one gives here. Links are encrypted, and \
        both ends show a key that the servers share through the database.
        """, valueName: "host:port"))
  var advertised: String?

  @Option(
    name: .customLong("listen-links"),
    help: ArgumentHelp(
      "Take links at this address of this machine, to which the advertised one leads.",
      discussion: """
        By itself, links are taken at the advertised address. That is not one of this machine's own \
        in a container, or behind a router that forwards a port.
        """, valueName: "host:port"))
  var linkAddress: String?

  /// Whether this server waits while another one has the journal.
  var waits: Bool { standsBy || advertised != nil }

  /// Checks that the options fit together.
  func check(_ journal: JournalLocation) throws(ValidationError) {
    _ = try advertisedEndpoint()
    _ = try linkEndpoint()
    if waits, journal.database == nil {
      throw ValidationError(
        "\(advertised == nil ? "--standby" : "--advertise") takes a journal that servers can share: "
          + "--journal postgresql://USER@HOST/DATABASE")
    }
  }

  /// The address at which the others reach it; `nil` if it takes no links.
  private func advertisedEndpoint() throws(ValidationError) -> ServerConfiguration.Endpoint? {
    guard let advertised else { return nil }
    let endpoint = try ServerConfiguration.Endpoint(advertised, of: "advertise", port: 7879)
    guard ServerID.canBe(advertised) else {
      throw ValidationError(
        "--advertise takes at most \(ServerID.mostBytes) bytes, without spaces")
    }
    if ["0.0.0.0", "::"].contains(endpoint.host) {
      throw ValidationError(
        "--advertise takes the address at which the other servers reach this one, not \(advertised)"
      )
    }
    return endpoint
  }

  /// The address at which it takes links; `nil` if it takes none.
  private func linkEndpoint() throws(ValidationError) -> ServerConfiguration.Endpoint? {
    let advertised = try advertisedEndpoint()
    guard let linkAddress else { return advertised }
    guard let advertised else {
      throw ValidationError("--listen-links takes --advertise, too: the address that leads to it")
    }
    guard advertised.port != 0 else {
      throw ValidationError(
        "--advertise takes the port at which the other servers reach this one, not 0, beside "
          + "--listen-links")
    }
    return try ServerConfiguration.Endpoint(linkAddress, of: "listen-links", port: 7879)
  }

  /// What the servers of the cluster call this one; `nil` if it takes no links.
  var id: ServerID? { advertised.map { ServerID($0) } }

  /// The key of links, which is made if there is none; `nil` if this server takes none.
  func linkKey() throws(KeyFileError) -> LinkKey? {
    try advertised.map { (_) throws(KeyFileError) in
      try LinkKey(beside: JournalLocation.besideDatabases)
    }
  }

  /// Listens where links are to be taken, and ends that at once.
  ///
  /// So an address that is not this machine's ends a server at its start, and not when it takes
  /// over.
  func tryLinks(on loop: EventLoop) throws {
    guard let endpoint = try linkEndpoint() else { return }
    try listening { () throws(EndpointError) in
      try TCPListener(host: endpoint.host, port: endpoint.port, on: loop, delegate: NoLinks())
    }.close()
  }

  /// Names the option that takes another address.
  private func listening<Listener>(
    _ listen: () throws(EndpointError) -> Listener
  ) throws(LinkAddressError) -> Listener {
    do throws(EndpointError) {
      return try listen()
    } catch {
      throw LinkAddressError(fault: error, isAdvertised: linkAddress == nil)
    }
  }

  /// Takes links at the address, and tells the servers that stand by.
  func takeLinks(
    on server: MatineeServer, of journal: PostgreSQLOpening, _ key: LinkKey
  ) throws {
    guard var advertised = try advertisedEndpoint(), let endpoint = try linkEndpoint(), let id
    else { return }
    let identity = try key.identity()
    let door = try listening { () throws(EndpointError) in
      try LinkDoor(at: endpoint, named: id, as: identity, on: server)
    }
    // The system may have chosen the port.
    if linkAddress == nil, let own = door.endpoints.first.flatMap(ServerConfiguration.Endpoint.init)
    {
      advertised.port = own.port
    }
    journal.advertise("\(advertised)")
  }
}

/// Why links cannot be taken at an address, and what to do.
struct LinkAddressError: Error, Equatable, CustomStringConvertible {
  let fault: EndpointError
  /// Whether it is the address that the others are told.
  let isAdvertised: Bool

  var description: String {
    isAdvertised && fault.cause.code == .addressNotAvailable
      ? "\(fault). If the other servers reach this one at an address that is not its own, name its "
        + "own with --listen-links" : fault.description
  }
}

/// Closes what comes while an address is only tried.
private final class NoLinks: TCPListenerDelegate {
  func listener(_ listener: TCPListener, didAccept stream: ByteStream) { stream.close() }

  func listener(_ listener: TCPListener, didFail error: UVError) {}
}

/// The key by which servers that share a journal know each other, with its certificate.
struct LinkKey {
  private let files: CertificateFiles
  private let pem: [UInt8]

  /// Reads the key, or makes it.
  ///
  /// - Parameter path: the path of the servers' secrets, without the ends of their names.
  init(beside path: String) throws(KeyFileError) {
    let file = path + ".link-key"
    files = CertificateFiles(certificate: file, key: file)
    pem = try KeyFile.readOrMake(
      file, making: SelfSignedCertificate.make, reading: KeyFile.contents)
  }

  /// What this server shows.
  func identity() throws(KeyFileError) -> TLSIdentity { try files.identity(pem, pem) }

  /// What the other end has to show, and is shown.
  func trust() throws(KeyFileError) -> TLSTrust {
    let fingerprint = try identity().fingerprint
    do throws(TLSIdentityFault) {
      return try TLSTrust(linkKey: fingerprint, showing: pem)
    } catch {
      throw files.complaint(error)
    }
  }
}
