package import Vocabulary

/// Who is at a device: the person, the device itself, the name that others see, and whether it is
/// somebody at all.
///
/// Lies apart and is shared by all that know the device: the member, the participant, the event
/// of joining. Each of them holds a word instead of three texts, some 80 bytes less for a peer.
package struct Identity: Equatable, Sendable {
  private indirect enum Texts: Equatable, Sendable {
    case of(UserID, DeviceID, String, isKeeper: Bool)
  }

  private let texts: Texts

  /// A person at a device, or what keeps things for people and says so.
  package init(user: UserID, device: DeviceID, name: String, isKeeper: Bool = false) {
    texts = .of(user, device, name, isKeeper: isKeeper)
  }

  /// The person.
  package var user: UserID {
    switch texts {
    case .of(let user, _, _, _): user
    }
  }

  /// The device.
  package var device: DeviceID {
    switch texts {
    case .of(_, let device, _, _): device
    }
  }

  /// What others see.
  package var name: String {
    switch texts {
    case .of(_, _, let name, _): name
    }
  }

  /// Whether it keeps a group and its session for others and watches nothing: nobody to be listed
  /// or counted among people.
  package var isKeeper: Bool {
    switch texts {
    case .of(_, _, _, let isKeeper): isKeeper
    }
  }
}

/// Who started a session.
package typealias Initiator = Identity
