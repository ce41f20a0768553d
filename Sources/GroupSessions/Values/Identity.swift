public import Vocabulary

/// Who is at a device, as everyone in the group sees it.
///
/// An app that keeps its users' identifiers or names to itself gives others an opaque text, such as a
/// digest with a secret of the app's, that is the same on all devices of the person, and a nickname.
/// Nothing else of a person reaches the others.
public struct Identity: Hashable, Sendable {
  /// Stored once and shared by the member, the participant and the event of joining.
  ///
  /// Each of them holds one word instead of three texts, about 80 bytes less per peer.
  private indirect enum Texts: Hashable, Sendable {
    case of(UserID, DeviceID, String, isKeeper: Bool)
  }

  private let texts: Texts

  /// A person at a device.
  public init(user: UserID, device: DeviceID, name: String) {
    self.init(user: user, device: device, name: name, isKeeper: false)
  }

  /// A person at a device, or a keeper of a session.
  package init(user: UserID, device: DeviceID, name: String, isKeeper: Bool) {
    texts = .of(user, device, name, isKeeper: isKeeper)
  }

  /// The person, over all their devices.
  public var user: UserID {
    switch texts {
    case .of(let user, _, _, _): user
    }
  }

  /// This installation; it has one connection at a time.
  public var device: DeviceID {
    switch texts {
    case .of(_, let device, _, _): device
    }
  }

  /// What others see.
  public var name: String {
    switch texts {
    case .of(_, _, let name, _): name
    }
  }

  /// Whether it keeps a group and its session for others and watches nothing; lists and counts of
  /// people leave it out.
  package var isKeeper: Bool {
    switch texts {
    case .of(_, _, _, let isKeeper): isKeeper
    }
  }
}

/// Who started a session.
package typealias Initiator = Identity
