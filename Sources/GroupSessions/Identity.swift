package import Vocabulary

/// Who is at a device: the person, the device itself, and the name that others see.
///
/// Lies apart and is shared by all that know the device: the member, the participant, the event
/// of joining. Each of them holds a word instead of three texts, some 80 bytes less for a peer.
package struct Identity: Equatable, Sendable {
  private indirect enum Texts: Equatable, Sendable {
    case of(UserID, DeviceID, String)
  }

  private let texts: Texts

  /// A person at a device.
  package init(user: UserID, device: DeviceID, name: String) {
    texts = .of(user, device, name)
  }

  /// The person.
  package var user: UserID {
    switch texts {
    case .of(let user, _, _): user
    }
  }

  /// The device.
  package var device: DeviceID {
    switch texts {
    case .of(_, let device, _): device
    }
  }

  /// What others see.
  package var name: String {
    switch texts {
    case .of(_, _, let name): name
    }
  }
}

/// Who started a session.
package typealias Initiator = Identity
