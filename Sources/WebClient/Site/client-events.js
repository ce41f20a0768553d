// What a client tells, as types alone: no page loads this file.

/**
 * @typedef {import("./actions.js").ClickAction} ClickAction
 * @typedef {import("./clock.js").ClockEstimate} ClockEstimate
 * @typedef {import("./membership.js").Eligibility} Eligibility
 * @typedef {import("./message-model.js").InAppMessage} InAppMessage
 * @typedef {import("./mirror.js").GroupMirror} GroupMirror
 * @typedef {import("./mirror.js").Participant} Participant
 * @typedef {import("./mirror.js").SessionMirror} SessionMirror
 * @typedef {import("./participation.js").Offer} Offer
 * @typedef {import("./queue.js").Entry} Entry
 * @typedef {import("./queue.js").Media} Media
 * @typedef {import("./requests.js").MatineeError} MatineeError
 * @typedef {import("./tray.js").Notification} Notification
 */

/**
 * How the connection is: `why` it broke, and the `error` that ended it for good.
 * @typedef {{state: "connecting" | "online" | "reconnecting" | "offline", why?: string, error?: MatineeError}} ConnectionState
 *
 * An event of the session with the fields that Protocol.md gives it; after `left`, who has `gone`, and after
 * `entryRemoved` what has.
 * @typedef {{event: string, session: string, seq: number, at: number, gone?: Participant, entryGone?: Entry,
 *   [field: string]: any}} Change
 *
 * A line of the chat; `isEarlier` if it was said before this device joined, `isPrivate` if not everybody is told.
 * @typedef {{session: string, seq: number, at: number, name: string, text: string, own: boolean, isEarlier: boolean,
 *   isPrivate: boolean}} ChatLine
 *
 * A click, before its action is done.
 * @typedef {{message: InAppMessage, button?: string, kind: string, url?: string, action: ClickAction}} MessageClick
 */

/**
 * The events of a `Client`, each with its `detail`.
 * @typedef {object} ClientEvents
 * @property {ConnectionState} connection
 * @property {{isPoor: boolean}} clockQuality whether the connection is too slow to be exactly together
 * @property {Eligibility} eligibility whether this device may start a session, or why not
 * @property {GroupMirror | null} group after each change; null outside of a group
 * @property {string} groupKey for the link that invites others
 * @property {Offer | null} offer
 * @property {SessionMirror | null} session once it is entered; null with why it is over in `lastReason`
 * @property {Change} change after the mirror has it
 * @property {ChatLine} chat
 * @property {{from: string, payload: any}} payload from another participant, or this device's own
 * @property {InAppMessage | null} message the one on screen
 * @property {MessageClick} messageClicked
 * @property {{warning: string, message: string, detail?: unknown}} messageWarning
 * @property {ClickAction} action one that is left to the app
 * @property {number} drift µs ahead of the group
 * @property {{what: string, error: number}} correction of the player, and what it was off, µs
 * @property {{session: string, count: number, slow: number}} audience the spectators
 * @property {string} needsGesture the reason for which the browser wants a tap before it plays
 * @property {null} gestureGiven
 * @property {Media} mediaWanted this device has no URL for it
 * @property {Media | null} mediaFailed
 * @property {Error} refused by the server: a `MatineeError`; or what the app's `resolve` or `credential` threw
 * @property {import("./ready-start.js").Shown | null} countdown who wants to start, and when all do
 * @property {Notification[]} tray the person's notifications, the newest first
 * @property {Notification} announcement a new one that the app shows
 * @property {{session: string, item: string, others: string}} itemMismatch
 * @property {{session: string, title?: string, fallbackURL?: string}} activityNotice
 * @property {{name: string}} pairingAsked
 * @property {Notification} notification
 * @property {{notifications: Notification[]}} notifications
 * @property {{notifications: string[]}} notificationsRevoked
 * @property {{at: number}} credentialExpires
 */

/**
 * The events of a `Connection`, each with its `detail`.
 * @typedef {object} ConnectionEvents
 * @property {ConnectionState} state
 * @property {any} line what the server says of its own accord
 * @property {any} welcome
 * @property {ClockEstimate | null} clock
 * @property {{isPoor: boolean}} clockQuality
 * @property {null} expired the credential has ended
 * @property {{reason: string}} forgotten `serverRestarted`, `connectionLost` or `groupClosed`: the server no longer knows the device
 */

/**
 * Tells the client's listeners.
 * @typedef {<Name extends keyof ClientEvents>(name: Name, detail: ClientEvents[Name]) => void} Tell
 */

/**
 * An `EventTarget` whose listeners know the details of its events; any other event is the browser's.
 * @template Events
 * @typedef {{
 *   addEventListener<Name extends keyof Events>(name: Name, hear: (event: CustomEvent<Events[Name]>) => void,
 *     options?: boolean | AddEventListenerOptions): void,
 *   removeEventListener<Name extends keyof Events>(name: Name, hear: (event: CustomEvent<Events[Name]>) => void,
 *     options?: boolean | EventListenerOptions): void
 * } & EventTarget} Teller
 */

export {};
