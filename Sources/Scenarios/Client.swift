package import Participation

/// The client of a person: the same value that `matinee join` and every app on Matinee runs on.
package typealias Client = Participation.Participant
