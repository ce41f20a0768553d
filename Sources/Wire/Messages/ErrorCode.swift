/// What can be wrong, as a code that never changes its meaning.
///
/// The one list of the server, the clients and the documentation.
package enum ErrorCode: String, Error, Hashable, Sendable, CaseIterable {
  case notJSON
  case lineTooLong
  case unknownType
  case invalidField
  case helloRequired
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
  case invalidToken
  case tokenExpired
  case busy
  case journalUnavailable

  /// What was wrong, in one sentence without a capital.
  package var meaning: String { text.meaning }

  /// What to do about it.
  package var advice: String { text.advice }
}
