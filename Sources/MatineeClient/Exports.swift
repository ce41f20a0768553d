// Public signatures are full of the domain's values: whoever imports the library has them. Type
// aliases would not do: under `MemberImportVisibility` a type that is only aliased has no visible
// initializers (tried with Swift 6.3.1).
@_exported public import GroupSessions
@_exported public import InAppMessaging
@_exported public import Playback
@_exported public import UserNotifications
@_exported public import Vocabulary
