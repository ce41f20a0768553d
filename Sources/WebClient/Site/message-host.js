// What an app, its views and its display have to do with in-app messages: types only.

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./actions.js").ClickAction} ClickAction */
/** @typedef {import("./screen-use.js").ShownMessage} ShownMessage */
/** @typedef {import("./surroundings.js").PresentationContext} PresentationContext */

/**
 * What a view tells, and what it can ask for.
 * @typedef {object} MessageHost
 * @property {(event: {kind: string, click?: import("./message-clicks.js").Click, button?: string, gesture?: string,
 *   failure?: string, isHeld?: boolean, leavesSession?: boolean}) => void} tell an event of the view: `presented`,
 *   `dismissed`, `clicked`, `closed`, `declined`, `failed`, …, and `detached`, which leaves its session unless told otherwise
 * @property {(report: import("./presentation.js").Report) => void} report what an app that draws messages itself
 *   says: `impression`, `clicked`, `dismissed`, `failed`
 * @property {(action: ClickAction) => void} perform an action that is no click
 * @property {(type: string, fields: Record<string, unknown>) => void} notice for the server
 * @property {(name: keyof MessageDelegate, ...values: unknown[]) => unknown} hook
 * @property {(view: string) => ViewMaker | undefined} makerOf
 */

/**
 * What messages are shown on; the page's is `MessageScreen`.
 * @typedef {object} MessageDisplay
 * @property {(shown: ShownMessage, host: MessageHost) => void} show tells `presented` when it is on screen
 * @property {(isAnimated: boolean) => void} dismiss tells `dismissed` when it is gone
 * @property {(shown: ShownMessage) => void} [update] in place
 * @property {() => void} [pause] what plays in it
 * @property {(assets: import("./message-model.js").Assets) => Promise<("loaded" | "landscapeFailed" | "failed")[]>} [load]
 * @property {(isHidden: boolean | null) => void} [statusBar] null: as it was
 * @property {(orientation: import("./message-model.js").Orientation | null) => void} [hold]
 */

/**
 * Makes the inside of a message, below its close button.
 * @typedef {(shown: ShownMessage, view: import("./message-element.js").MessageElement) => MessageContent} ViewMaker
 */

/**
 * The inside of a message. What is not `ready` yet is not counted as seen.
 * @typedef {HTMLElement & {update?: (shown: ShownMessage) => void, pause?: () => void, ready?: Promise<unknown>}} MessageContent
 */

/**
 * An app's hooks. Those that ask may answer with a promise, except `prepare`.
 * @typedef {object} MessageDelegate
 * @property {(message: InAppMessage, origin: string) => unknown} [displayChoice] `now`, `reenqueue`, `discard`; or `later`, as `reenqueue`
 * @property {(context: PresentationContext) => PresentationContext | void} [prepare] changes or replaces what is shown
 * @property {(message: InAppMessage) => void} [willPresent]
 * @property {(view: import("./message-element.js").MessageElement, shown: ShownMessage) => void} [beforeEnter] after layout, before it moves on screen
 * @property {(message: InAppMessage) => void} [impression]
 * @property {(message: InAppMessage) => void} [didPresent]
 * @property {(message: InAppMessage) => void} [willUpdate]
 * @property {(view: import("./message-element.js").MessageElement) => void} [layoutChanged] after a turn of the device or another size
 * @property {(action: ClickAction, click: {button?: object, buttonID?: string, message: InAppMessage}) => unknown} [shouldProcess]
 *   false: the app does it itself
 * @property {(message: InAppMessage, reason: string) => void} [willDismiss]
 * @property {(message: InAppMessage, reason: string) => void} [didDismiss]
 * @property {(id: string, outcome: import("./message-offer.js").Outcome) => void} [finished] once for each delivery
 */

export {};
