/// A stable code for an error; its meaning never changes.
///
/// The server, the clients and the documentation use this one list.
package enum ErrorCode: String, Error, Hashable, Sendable, CaseIterable {
  case notJSON
  case lineTooLong
  case unknownType
  case invalidField
  case helloRequired
  case tlsRequired
  case credentialRequired
  case credentialRefused
  case credentialExpired
  case unproved
  case noPerson
  case pairingPending
  case pairingRefused
  case namesFull
  case tooManyGuesses
  case alreadyGreeted
  case unsupportedVersion
  case helloTimeout
  case idleTimeout
  case rateLimited
  case serverFull
  case slowConsumer
  case superseded
  case deviceInUse
  case shuttingDown
  case resumeRefused
  case notInGroup
  case alreadyInGroup
  case groupFull
  case groupsFull
  case groupClosed
  case unknownGroup
  case unknownUser
  case keyRequired
  case keyRefused
  case noKey
  case noMedia
  case held
  case removed
  case notFounder
  case notYourDevice
  case notEligible
  case activityInProgress
  case invalidActivity
  case unknownSession
  case sessionEnded
  case notActivated
  case notJoined
  case alreadyInSession
  case forbidden
  case conflict
  case sessionFull
  case banned
  case notYourParticipant
  case unknownParticipant
  case notInvited
  case invitationAnswered
  case invitationOver
  case tooManyInvitations
  case unknownEntry
  case queueFull
  case unknownAttachment
  case attachmentsFull
  case objectsFull
  case unknownObject
  case noSuchNeighbour
  case staleItem
  case staleReport
  case suspendedLocalOnly
  case unknownSuspension
  case tooManySuspensions
  case tooManyTimelines
  case messagingUnavailable
  case unknownCampaign
  case collectionOff
  case tooManyAttributes
  case tooManyLists
  case usersFull
  case notificationsUnavailable
  case payloadTooLarge
  case invalidEndpoint
  case invalidTopic
  case notYourTopic
  case tooManySubscriptions
  case unknownNotification
  case notificationOver
  case traysFull
  case noAdministrator
  case wrongKey
  case unknownServer
  case onlyServer
  case invalidToken
  case tokenExpired
  case busy
  case journalUnavailable
  case journalFull

  /// What is wrong, in a clause without a capital letter and a full stop.
  package var meaning: String { text.meaning }

  package var advice: String { text.advice }
}
