import GroupSessions
import JSON
import Playback
import Vocabulary
import Wire

// Those who are in a room by other means than Syncplay.
//
// What clients were told of each is kept, and what changes in the session is held against it: so what
// they were told, and what a List says, is always the same.

extension SyncplayLobby {
  /// Somebody who is here by other means gets a name that nobody else has, since clients know
  /// people by their names.
  mutating func admit(_ member: Member, to name: String) {
    guard devices[member.device] == nil, let room = rooms[name],
      member.device != room.keeperMembership.device, room.guests[member.device] == nil,
      !SyncplayIdentifiers.isClient(member.device)
    else { return }
    let guest = names.claim(member.name, maximum: options.maximumUsernameLength)
    if room.isEmpty { fill(name, with: nil) }
    rooms[name]?.guests[member.device] = SyncplayGuest(name: guest)
    let features: SyncplayFeatures = [
      .sharedPlaylists, .chat, .featureList, .readiness, .managedRooms, .setOthersReadiness,
    ]
    let joined = SyncplayNews.user(
      guest, room: name, event: .joined(version: options.version, features))
    spread(joined, to: audience(of: name))
    tell(of: [member.device], in: name)
  }

  /// Somebody goes who was here by other means.
  mutating func dismiss(_ device: DeviceID, from name: String) {
    guard let guest = rooms[name]?.guests.removeValue(forKey: device) else { return }
    names.release(guest.name)
    spread(.user(guest.name, room: name, event: .left), to: audience(of: name))
    closeLater(name, after: nil)
  }

  /// Those here by other means whom an event is about; asked before it is taken in, since who
  /// leaves is not found after.
  ///
  /// Most events are about nobody, or about one: what all of a crowd say is not held against each.
  func guests(concernedBy event: SessionEvent, in name: String) -> [DeviceID] {
    guard rooms[name]?.guests.isEmpty == false else { return [] }
    let device: DeviceID?
    switch event {
    case .joined(let participant): device = participant.device
    case .left(let id, _), .roleSet(let id, _, _), .readinessSet(let id, _, _),
      .playback(.itemSelected(_, let id)):
      device = rooms[name]?.session?.participants[id]?.device
    case .activitySet, .playback(.itemAdvanced), .playback(.durationLearned),
      .playback(.timelineDropped):
      return guests(of: name)
    default: return []
    }
    guard let device, rooms[name]?.guests[device] != nil else { return [] }
    return [device]
  }

  /// All who are in a room by other means.
  func guests(of name: String) -> [DeviceID] { rooms[name]?.guests.keys.map { $0 } ?? [] }

  /// Tells what has changed with those who are here by other means.
  mutating func tell(of guests: [DeviceID], in name: String) {
    guard !guests.isEmpty, let room = rooms[name] else { return }
    for device in guests {
      guard let guest = room.guests[device] else { continue }
      let participant = room.session?.participant(on: device)
      let film = participant.flatMap { self.film(of: $0.id, in: room) }
      if film != guest.film {
        rooms[name]?.guests[device]?.film = film
        let file = film?.text(nameCodePoints: options.maximumFileNameLength) ?? .noFile
        spread(.user(guest.name, room: name, file: file), to: audience(of: name))
      }
      let isReady = options.allowsReadiness ? participant?.isReadyToStart : nil
      if isReady != guest.isReady {
        rooms[name]?.guests[device]?.isReady = isReady
        tellReadiness(of: guest.name, isReady, false, in: room)
      }
      let isOperator = room.managed != nil && participant?.role == .host
      if isOperator != guest.isOperator {
        rooms[name]?.guests[device]?.isOperator = isOperator
        // That somebody is one no longer, the protocol cannot say.
        guard isOperator else { continue }
        let news = SyncplayNews.controllerAuth(user: guest.name, room: name, isSuccess: true)
        send(.set(news), to: peers(of: audience(of: name)))
      }
    }
  }

  private func film(of participant: ParticipantID, in room: SyncplayRoom) -> SyncplayGuest.Film? {
    guard let session = room.session,
      let item = session.playback.participants[participant]?.item, item != SyncplayRoom.clock
    else { return nil }
    return SyncplayGuest.Film(
      item: item, length: session.playback.timelines[item]?.duration ?? .zero)
  }
}

extension JSONText {
  /// Nothing is open.
  static let noFile = JSONText(validated: "{}")
}
