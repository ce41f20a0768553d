package import Vocabulary

/// One push: one notification on its way to one installation, over all its attempts.
package typealias PushID = Identifier<PushKind>

/// Marks identifiers of pushes.
package enum PushKind: Sendable {}
