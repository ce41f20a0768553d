// The public API uses the domain's value types, so importing this library must make them visible.
// Type aliases are not enough: under `MemberImportVisibility`, a type that is only aliased has no
// visible initializers (tried with Swift 6.3.1).
@_exported public import GroupSessions
@_exported public import InAppMessaging
@_exported public import Playback
@_exported public import UserNotifications
@_exported public import Vocabulary
