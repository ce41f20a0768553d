// What the page says, in the languages that it speaks.

const english = {
  skip: "Skip to the content",
  language: "Language", theme: "Appearance", settings: "Settings", close: "Close",
  themeSystem: "As the system", themeLight: "Light", themeDark: "Dark",
  soundDelay: "My sound comes late by (ms)", soundDelayHint: "For Bluetooth or a soundbar.",
  changeName: "Change name",
  tagline: "Watch together, to the frame.", whoAreYou: "Who is watching?", whoHint: "The others see this name. It stays in this browser.",
  yourName: "Your name", groupName: "Group", groupHint: "Everybody who opens the same group watches together.",
  come: "Come in", comeTo: "Come in to {group}",
  connecting: "Connecting …", online: "Connected", reconnecting: "Reconnecting …", offline: "Not connected",
  people: "People", you: "you", invite: "Invite", copyLink: "Copy link", copied: "Link copied",
  inviteHint: "Whoever opens this link watches with you.",
  aloneTitle: "You are the first", aloneHint: "Send somebody the link. As soon as they are here, you can start.",
  startTitle: "What do we watch?", startHint: "The address of a video that a browser can play.",
  address: "Address of the video", start: "Choose", nextUp: "Add",
  ready: "ready", notReady: "not ready", imReady: "I'm ready", startTogether: "Start together",
  readyCount: "{ready} of {all} ready",
  watching: "watching", paused: "paused", loading: "loading", away: "offline", elsewhere: "in another film",
  waits: "needs a moment", host: "host", coHost: "co-host", listener: "listens",
  inSync: "in sync", ahead: "{ms} ms ahead", behind: "{ms} ms behind",
  play: "Play", pause: "Pause", back: "Back 10 seconds", forward: "Forward 10 seconds", seek: "Position",
  mute: "Mute", unmute: "Sound on", fullScreen: "Full screen", leaveFullScreen: "Leave full screen",
  tapTitle: "Tap to watch along", tapHint: "Your browser wants a tap before it plays sound.",
  endForAll: "End for everybody", leave: "Leave", positionOf: "{place} of {length}",
  waitingFor: "Waiting for {names}", gettingReady: "Everybody gets ready …",
  queue: "Queue", queueEmpty: "Nothing else yet.", playNow: "Play {title} now", up: "Move {title} up", down: "Move {title} down",
  remove: "Remove {title}", now: "now",
  chat: "Chat", chatEmpty: "Say hello.", message: "Message", send: "Send",
  chooseFile: "Choose your copy", fileWanted: "Everybody needs their own copy of {title}",
  fileHint: "It is played from your device and sent to nobody.",
  open: "Open", picture: "Picture", choose: "Choose …", pictureInPicture: "Picture in picture",
  watchElsewhere: "Watch it elsewhere",
  mediaFailed: "This browser cannot play {title}.",
  didJoin: "{name} is here", didLeave: "{name} left", didLose: "{name} lost the connection", didReturn: "{name} is back",
  didPlay: "{name} pressed play", didPause: "{name} paused", didSeek: "{name} went to {place}", didRate: "{name} set the speed to {rate}",
  didChange: "{name} chose {title}", didReady: "{name} is ready", didStall: "{name} needs a moment",
  over: "The session is over.", overBy: "{name} ended the session.", removed: "You were removed from the session.",
  lost: "The session ended while you were away.",
  nameTaken: "This name belongs to somebody else here. Choose another one.",
  keyNeeded: "This group wants its key. Ask somebody for the whole link.",
  failed: "That did not work: {why}",
};

/** @type {typeof english} */
const german = {
  skip: "Zum Inhalt springen",
  language: "Sprache", theme: "Aussehen", settings: "Einstellungen", close: "Schließen",
  themeSystem: "Wie das System", themeLight: "Hell", themeDark: "Dunkel",
  soundDelay: "Mein Ton kommt später um (ms)", soundDelayHint: "Für Bluetooth oder eine Soundbar.",
  changeName: "Namen ändern",
  tagline: "Zusammen schauen, aufs Bild genau.", whoAreYou: "Wer schaut?", whoHint: "Die anderen sehen diesen Namen. Er bleibt in diesem Browser.",
  yourName: "Dein Name", groupName: "Gruppe", groupHint: "Wer dieselbe Gruppe öffnet, schaut zusammen.",
  come: "Hereinkommen", comeTo: "Zu {group} hereinkommen",
  connecting: "Verbinde …", online: "Verbunden", reconnecting: "Verbinde neu …", offline: "Nicht verbunden",
  people: "Leute", you: "du", invite: "Einladen", copyLink: "Link kopieren", copied: "Link kopiert",
  inviteHint: "Wer diesen Link öffnet, schaut mit dir.",
  aloneTitle: "Du bist zuerst da", aloneHint: "Schick jemandem den Link. Sobald jemand da ist, könnt ihr anfangen.",
  startTitle: "Was schauen wir?", startHint: "Die Adresse eines Videos, das ein Browser abspielen kann.",
  address: "Adresse des Videos", start: "Auswählen", nextUp: "Dazu",
  ready: "bereit", notReady: "nicht bereit", imReady: "Ich bin bereit", startTogether: "Zusammen starten",
  readyCount: "{ready} von {all} bereit",
  watching: "schaut", paused: "angehalten", loading: "lädt", away: "offline", elsewhere: "in einem anderen Film",
  waits: "braucht einen Moment", host: "leitet", coHost: "leitet mit", listener: "hört zu",
  inSync: "gleichauf", ahead: "{ms} ms voraus", behind: "{ms} ms zurück",
  play: "Abspielen", pause: "Anhalten", back: "10 Sekunden zurück", forward: "10 Sekunden vor", seek: "Stelle",
  mute: "Ton aus", unmute: "Ton an", fullScreen: "Vollbild", leaveFullScreen: "Vollbild verlassen",
  tapTitle: "Tippen und mitschauen", tapHint: "Dein Browser möchte ein Tippen, bevor er Ton abspielt.",
  endForAll: "Für alle beenden", leave: "Verlassen", positionOf: "{place} von {length}",
  waitingFor: "Warten auf {names}", gettingReady: "Alle machen sich bereit …",
  queue: "Warteschlange", queueEmpty: "Noch nichts weiter.", playNow: "{title} jetzt abspielen", up: "{title} nach oben", down: "{title} nach unten",
  remove: "{title} entfernen", now: "jetzt",
  chat: "Chat", chatEmpty: "Sag hallo.", message: "Nachricht", send: "Senden",
  chooseFile: "Deine Kopie wählen", fileWanted: "Alle brauchen ihre eigene Kopie von {title}",
  fileHint: "Sie wird auf deinem Gerät abgespielt und niemandem geschickt.",
  open: "Öffnen", picture: "Bild", choose: "Auswählen …", pictureInPicture: "Bild im Bild",
  watchElsewhere: "Anderswo ansehen",
  mediaFailed: "Dieser Browser kann {title} nicht abspielen.",
  didJoin: "{name} ist da", didLeave: "{name} ist gegangen", didLose: "{name} hat die Verbindung verloren", didReturn: "{name} ist wieder da",
  didPlay: "{name} hat gestartet", didPause: "{name} hat angehalten", didSeek: "{name} ging zu {place}", didRate: "{name} stellte das Tempo auf {rate}",
  didChange: "{name} wählte {title}", didReady: "{name} ist bereit", didStall: "{name} braucht einen Moment",
  over: "Die Sitzung ist zu Ende.", overBy: "{name} hat die Sitzung beendet.", removed: "Du wurdest aus der Sitzung entfernt.",
  lost: "Die Sitzung endete, während du weg warst.",
  nameTaken: "Dieser Name gehört hier schon jemandem. Wähle einen anderen.",
  keyNeeded: "Diese Gruppe verlangt ihren Schlüssel. Bitte jemanden um den ganzen Link.",
  failed: "Das ging nicht: {why}",
};

const languages = { en: english, de: german };

/** @typedef {keyof typeof languages} Language */
/** @typedef {keyof typeof english} TextName */

/** @type {{code: Language, name: string}[]} */
export const spoken = [{ code: "en", name: "English" }, { code: "de", name: "Deutsch" }];

/** @returns {Language} the person's choice, or else the browser's language if we speak it */
export function language() {
  const kept = localStorage.getItem("matinee.language") ?? navigator.language.slice(0, 2);
  return kept === "de" ? "de" : "en";
}

/** @param {Language} code */
export function setLanguage(code) {
  localStorage.setItem("matinee.language", code);
  document.documentElement.lang = code;
  document.dispatchEvent(new CustomEvent("language"));
}

/** @param {TextName} name @param {Record<string, string | number>} [values] @returns {string} */
export function text(name, values = {}) {
  return languages[language()][name].replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** @param {number} place µs @returns {string} such as 1:02:03 */
export function clockText(place) {
  const total = Math.floor(Math.max(place, 0) / 1_000_000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = String(seconds).padStart(2, "0");
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, "0")}:${tail}`;
}
