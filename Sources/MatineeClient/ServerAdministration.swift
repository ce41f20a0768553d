public import InAppMessaging
import Participation
public import Vocabulary
import Wire

/// What an administrator does on a server with access: groups, names and people from outside.
///
/// The server takes it from a client with ``ClientOptions/administratorKey``, or whose credential is a
/// token with the claim `admin`. Keys and pairing codes are there where access is by keys; elsewhere
/// those calls throw ``GroupWatchError/Code/noKey`` or ``GroupWatchError/Code/pairingRefused``.
/// ``GroupWatchClient/status(after:)`` lists all groups for such a client. Every call throws
/// ``GroupWatchError/Code/forbidden`` for everybody else.
public struct ServerAdministration: Sendable {
  private let client: GroupWatchClient

  init(_ client: GroupWatchClient) { self.client = client }

  /// Closes a group for everyone in it.
  public func closeGroup(_ id: GroupID) async throws(GroupWatchError) {
    try await client.ask(.closeGroup(id))
  }

  /// Gives a group another key, so that its old links no longer open it.
  public func changeKey(of id: GroupID) async throws(GroupWatchError) {
    try await client.ask(.changeKey(id))
  }

  /// Removes a person from a group for good, with all their devices, and changes its key, if any.
  public func remove(_ user: UserID, from id: GroupID) async throws(GroupWatchError) {
    try await client.ask(.removeUser(user, from: id))
  }

  /// Sends everybody who came in at a server of the cluster to the others, and stops it.
  ///
  /// ``ServerStatus/servers`` names them, and says how far it is.
  ///
  /// - Throws: ``GroupWatchError/Code/unknownServer`` or ``GroupWatchError/Code/onlyServer``.
  public func drain(_ server: ServerID) async throws(GroupWatchError) {
    try await client.ask(.drain(server))
  }

  /// Takes a name from the person whose first device claimed it, so that another can claim it.
  public func freeName(_ user: UserID) async throws(GroupWatchError) {
    try await client.ask(.freeName(user))
  }

  /// Makes a code with which a new device of that person comes in, for example when they lost their
  /// only one.
  ///
  /// The device connects with it as ``ClientOptions/pairingCode``; nobody has to confirm it.
  public func pairingCode(for user: UserID) async throws(GroupWatchError) -> PairingCode {
    try await client.pairingCode(.pair(user))
  }

  /// Explains whether a person can see a campaign, also a draft: the current refusal and the last
  /// evaluation.
  ///
  /// A person's own devices ask with ``InAppMessages/explain(_:)``.
  ///
  /// - Throws: ``GroupWatchError/Code/unknownUser`` if the server knows no such person;
  ///   ``GroupWatchError/Code/unknownCampaign``;
  ///   ``GroupWatchError/Code/messagingUnavailable`` if the server has no campaigns.
  public func explain(
    _ campaign: CampaignID, for user: UserID
  ) async throws(GroupWatchError) -> CampaignExplanation {
    let explanations = try await explanations(.explain(campaign, of: user))
    guard let explanation = explanations.first else { throw .nothingSaid(of: campaign) }
    return explanation
  }

  /// Explains for each of the server's campaigns, drafts too, whether a person can see it.
  ///
  /// - Throws: ``GroupWatchError/Code/unknownUser`` if the server knows no such person;
  ///   ``GroupWatchError/Code/messagingUnavailable`` if it has no campaigns.
  public func explanations(
    for user: UserID
  ) async throws(GroupWatchError) -> [CampaignExplanation] {
    try await explanations(.explain(nil, of: user))
  }

  private func explanations(
    _ question: MessagingRequest
  ) async throws(GroupWatchError) -> [CampaignExplanation] {
    switch await client.outcome(of: .messaging(question)) {
    case .explained(let explanations): return explanations.map(CampaignExplanation.init)
    case .failed(let failure): throw GroupWatchError(failure)
    case .answered, .reported, .listed, .object: return []
    }
  }
}

extension GroupWatchClient {
  /// The calls of an administrator.
  public var administration: ServerAdministration { ServerAdministration(self) }
}
