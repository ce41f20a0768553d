public import Playback
public import Vocabulary

/// A person at a device, as everyone in the group sees them.
///
/// Nothing else about a person reaches the others. An app that wants to hide its users' identifiers
/// and names sends an opaque identifier, such as a keyed digest that is the same on all devices of
/// the person, and a nickname.
public struct Identity: Hashable, Sendable {
  /// The texts, stored once and shared by the member, the participant and the event of joining.
  ///
  /// Each of them holds one word instead of three texts, which saves about 80 bytes per peer.
  private indirect enum Texts: Hashable, Sendable {
    case of(UserID, DeviceID, String, isKeeper: Bool)
  }

  private let texts: Texts

  /// A person at a device.
  public init(user: UserID, device: DeviceID, name: String) {
    self.init(user: user, device: device, name: name, isKeeper: false)
  }

  /// A person at a device, or a keeper.
  package init(user: UserID, device: DeviceID, name: String, isKeeper: Bool) {
    texts = .of(user, device, name, isKeeper: isKeeper)
  }

  /// The person; the same on all their devices.
  public var user: UserID {
    switch texts {
    case .of(let user, _, _, _): user
    }
  }

  /// The installation of the app; it has one connection at a time.
  public var device: DeviceID {
    switch texts {
    case .of(_, let device, _, _): device
    }
  }

  /// The name that others see.
  public var name: String {
    switch texts {
    case .of(_, _, let name, _): name
    }
  }

  /// The same person at the same device, under another name.
  package func named(_ name: String) -> Identity {
    name == self.name
      ? self : Identity(user: user, device: device, name: name, isKeeper: isKeeper)
  }

  /// Whether it only keeps a group and its session alive for others; lists and counts of people
  /// omit it.
  package var isKeeper: Bool {
    switch texts {
    case .of(_, _, _, let isKeeper): isKeeper
    }
  }
}

/// The person and device that started a session.
package typealias Initiator = Identity

/// A participant for whom a start waits.
public struct AwaitedParticipant: Hashable, Identifiable, Sendable {
  /// The participant.
  public let id: ParticipantID
  /// The name that others see.
  public let name: String
  /// The suspensions that keep it away; empty while its player is not ready.
  public let suspensionReasons: Set<SuspensionReason>
}
