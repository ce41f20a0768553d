// What the page says, in the languages that it speaks.

const english = {
  skip: "Skip to the content",
  language: "Language", theme: "Appearance", settings: "Settings", close: "Close",
  themeSystem: "As the system", themeLight: "Light", themeDark: "Dark",
  soundDelay: "My sound comes late by (ms)", soundDelayHint: "For Bluetooth or a soundbar.",
  changeName: "Change name",
  tagline: "Watch together, to the frame.", whoAreYou: "Who is watching?", whoHint: "The others see this name. It stays in this browser.",
  yourName: "Your name", groupName: "Group", groupHint: "Everybody who opens the same group watches together.",
  nameTooLong: "This name is too long. Choose a shorter one.",
  groupTooLong: "The group's name in this link is too long. Choose a shorter one.",
  come: "Come in", comeTo: "Come in to {group}",
  connecting: "Connecting …", online: "Connected", reconnecting: "Reconnecting …",
  slow: "Slow connection", maybeApart: "you may be over a quarter of a second from the others",
  people: "People", audience: "Watching besides: {count}", you: "you", user: "user “{user}”", invite: "Invite", copyLink: "Copy link", copied: "Link copied",
  inviteHint: "Whoever opens this link watches with you.",
  aloneTitle: "You are the first", aloneHint: "Send somebody the link. As soon as they are here, you can start.",
  startTitle: "What do we watch?", startHint: "The address of a video that a browser can play.",
  noAddress: "Type an address that begins with https://.",
  watchAgain: "Watch with the others again", othersWatch: "The others are watching", notLetIn: "A host does not let you back in.",
  address: "Address of the video", start: "Choose", nextUp: "Add",
  ready: "ready", notReady: "not ready", imReady: "I'm ready", startTogether: "Start together",
  readyCount: "{ready} of {all} ready",
  watching: "watching", paused: "paused", atEnd: "at its end", loading: "loading", away: "offline", elsewhere: "in another film",
  waits: "needs a moment", cannotPlay: "cannot play it", hasToTap: "has to tap first", interrupted: "is interrupted", host: "host", coHost: "co-host", listener: "listens",
  inSync: "in sync", ahead: "{ms} ms ahead", behind: "{ms} ms behind",
  play: "Play", pause: "Pause", back: "Back 10 seconds", forward: "Forward 10 seconds", seek: "Position",
  mute: "Mute", unmute: "Sound on", volume: "Volume", captions: "Subtitles", captionsOff: "No subtitles", fullScreen: "Full screen", leaveFullScreen: "Leave full screen",
  tapTitle: "Tap to watch along", tapHint: "Your browser wants a tap before it plays sound.",
  endForAll: "End for everybody", reallyEnd: "Press once more to end it for everybody", leave: "Leave", positionOf: "{position} of {length}",
  waitingFor: "Waiting for {names}", gettingReady: "Everybody gets ready …",
  queue: "Queue", queueEmpty: "Nothing else yet.", playNow: "Play {title} now",
  now: "now",
  chat: "Chat", chatEmpty: "Say hello.", toYou: "{name} (to you)", message: "Message", send: "Send",
  chooseFile: "Choose your copy", fileWanted: "Everybody needs their own copy of {title}",
  fileHint: "It is played from your device and sent to nobody.",
  open: "Open", picture: "Picture", choose: "Choose …", speed: "Speed", speedOf: "Speed: {rate}", pictureInPicture: "Picture in picture", backIntoPage: "Back into the page",
  watchElsewhere: "Watch it elsewhere",
  mediaFailed: "This browser cannot play {title}.",
  didJoin: "{name} is here", didLeave: "{name} left", didLose: "{name} lost the connection", didReturn: "{name} is back",
  didPlay: "{name} pressed play", didPause: "{name} paused", didSeek: "{name} went to {position}", didRate: "{name} set the speed to {rate}",
  didChange: "{name} chose {title}", didReady: "{name} is ready", didStall: "{name} needs a moment",
  didRemove: "{name} removed {other}", didFail: "{name} cannot play it", didFollow: "Next: {title}", didAdd: "{name} added {title}",
  didAddMany: "{name} added {count} films", didMove: "{name} moved {title}", didTakeOut: "{name} took {title} out", didClear: "{name} emptied the queue",
  didShuffle: "{name} shuffled the queue", didUnshuffle: "{name} put the queue back in order",
  didRepeatAll: "{name}: after the last film, the first one follows", didRepeatOne: "{name}: this film begins again and again",
  didRepeatOff: "{name}: nothing begins again by itself",
  over: "The session is over.", overBy: "{name} ended the session.", removed: "You were removed from the session.", removedBy: "{name} removed you from the session.",
  lost: "Your place in the session was lost.",
  nameTaken: "This name belongs to somebody else here, or to another browser of yours. Choose another one, or say below that you are here on another device.",
  noRoom: "This browser has no more room for what the page keeps. Remove data of other sites, and try again.",
  keyNeeded: "This group wants its key. Ask somebody for the whole link.",
  outOfGroup: "You are no longer in this group.",
  failed: "That did not work: {why}",
  whyInProgress: "the others are watching something else", whyBanned: "a host does not let you back in", whyFull: "the session is full",
  whyForbidden: "your role does not allow it", whyTheyAreBanned: "a host does not let them back in",
  whyTheyAreRemoved: "they were removed from the group for good", whyOver: "it is over already", whyTooMany: "there are too many already",
  whyLate: "the server did not answer in time", whyBusy: "the server is busy, try again in a moment",
  share: "Share", shareText: "Watch with me: {group}", codeLabel: "QR code of the link to {group}",
  whenReady: "Start when all are ready", waitsForAll: "{name} starts when all are ready: {ready} of {all}",
  startsSoon: "{name} starts the film", takeBack: "Not yet",
  react: "React", reactWith: "React with {reaction}", reacted: "{name}: {reaction}",
  unread: "{count} new", toChat: "To the chat: {count} new messages",
  next: "next", more: "More about {title}", drag: "Move {title}: arrow keys, or drag",
  moved: "{title} is now number {place} of {all}", moveUp: "Move up", moveDown: "Move down", removeEntry: "Remove",
  shuffle: "Shuffle the queue", repeat: "Repeat the queue",
  steers: "Who steers", steersEveryone: "Everybody", steersHosts: "Hosts only", hostsSteer: "Only hosts steer.",
  ifStalled: "If a film stalls", keepGoing: "Keep going", together: "Wait together", waitsAsSet: "An app's own",
  waitsLimit: "For up to 30 seconds, while up to six people have the film open.", allWait: "If a film stalls, everybody waits.",
  didWait: "{name}: if a film stalls, everybody waits", didPlayOn: "{name}: if a film stalls, the others play on",
  makeHost: "Make host", makeCoHost: "Make co-host", makeGuest: "Make guest", makeListener: "Only listen",
  removeFromSession: "Remove from the session", ban: "Remove, and do not let back in", removeForGood: "Remove from the group for good",
  really: "Press once more to remove {name}",
  didSteer: "{name} lets everybody steer", didSteerHosts: "{name} lets only hosts steer", didRole: "{name}: {role} from now on", guest: "guest",
  library: "From this server", libraryFind: "Find", libraryMore: "There are more; name them by their address.",
  ownFile: "A file of your own", ownFileHint: "The others need a copy, too. Nothing is uploaded.", or: "or",
  fileDiffers: "This is not the same file: its {what}.",
  differsName: "name is another one", differsSize: "size is another one", differsBoth: "name and size are others",
  lengthDiffers: "{name} has a copy of another length: {own} instead of {others}.", yourLength: "Your copy has another length: {own} instead of {others}.",
  useAnyway: "Use it anyway", chooseAnother: "Choose another one",
  notifications: "Notifications: {count}", notificationsTitle: "Notifications", notificationsEmpty: "Nothing new.", clear: "Remove all",
  removeNotice: "Remove “{title}”", accept: "Watch along", decline: "Not now",
  pushMe: "Tell me when this page is closed, too", pushDenied: "Your browser does not let this page tell you anything. You can change that in its settings.",
  invitesYou: "{name} invites you to watch together", inviteToSession: "Invite to watch along", invited: "{name} is invited",
  addDevice: "Add a device", pairHint: "Open this page on your other device, enter the name {user}, and this code:", pairUntil: "It is good until {time}.",
  pairAsked: "A device named {name} shows your code. Is it yours?", letIn: "Let it in", notMine: "It is not mine", paired: "Your device is in",
  haveCode: "I am here on another device", code: "Code", codeHint: "Your other device shows it: Settings, Add a device.",
  codeRefused: "This code lets no device in. Ask your other device for a new one.", pairConfirm: "Confirm on your other device …",
  signInOver: "Your sign-in is over. Open Matinee from your app again.", endsSoon: "Your sign-in ends soon. Open Matinee from your app again.", signedInAgain: "You are signed in again.",
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
  nameTooLong: "Dieser Name ist zu lang. Wähle einen kürzeren.",
  groupTooLong: "Der Name der Gruppe in diesem Link ist zu lang. Wähle einen kürzeren.",
  come: "Hereinkommen", comeTo: "Zu {group} hereinkommen",
  connecting: "Verbinde …", online: "Verbunden", reconnecting: "Verbinde neu …",
  slow: "Langsame Verbindung", maybeApart: "du bist vielleicht über eine Viertelsekunde von den anderen entfernt",
  people: "Leute", audience: "Sehen außerdem zu: {count}", you: "du", user: "Konto „{user}“", invite: "Einladen", copyLink: "Link kopieren", copied: "Link kopiert",
  inviteHint: "Wer diesen Link öffnet, schaut mit dir.",
  aloneTitle: "Du bist zuerst da", aloneHint: "Schick jemandem den Link. Sobald jemand da ist, könnt ihr anfangen.",
  startTitle: "Was schauen wir?", startHint: "Die Adresse eines Videos, das ein Browser abspielen kann.",
  noAddress: "Gib eine Adresse ein, die mit https:// beginnt.",
  watchAgain: "Wieder mit den anderen schauen", othersWatch: "Die anderen schauen gerade", notLetIn: "Wer leitet, lässt dich nicht wieder herein.",
  address: "Adresse des Videos", start: "Auswählen", nextUp: "Dazu",
  ready: "bereit", notReady: "nicht bereit", imReady: "Ich bin bereit", startTogether: "Zusammen starten",
  readyCount: "{ready} von {all} bereit",
  watching: "schaut", paused: "angehalten", atEnd: "am Ende", loading: "lädt", away: "offline", elsewhere: "in einem anderen Film",
  waits: "braucht einen Moment", cannotPlay: "kann es nicht abspielen", hasToTap: "muss erst tippen", interrupted: "ist unterbrochen", host: "leitet", coHost: "leitet mit", listener: "hört zu",
  inSync: "gleichauf", ahead: "{ms} ms voraus", behind: "{ms} ms zurück",
  play: "Abspielen", pause: "Anhalten", back: "10 Sekunden zurück", forward: "10 Sekunden vor", seek: "Stelle",
  mute: "Ton aus", unmute: "Ton an", volume: "Lautstärke", captions: "Untertitel", captionsOff: "Keine Untertitel", fullScreen: "Vollbild", leaveFullScreen: "Vollbild verlassen",
  tapTitle: "Tippen und mitschauen", tapHint: "Dein Browser möchte ein Tippen, bevor er Ton abspielt.",
  endForAll: "Für alle beenden", reallyEnd: "Noch einmal drücken, um für alle zu beenden", leave: "Verlassen", positionOf: "{position} von {length}",
  waitingFor: "Warten auf {names}", gettingReady: "Alle machen sich bereit …",
  queue: "Warteschlange", queueEmpty: "Noch nichts weiter.", playNow: "{title} jetzt abspielen",
  now: "jetzt",
  chat: "Chat", chatEmpty: "Sag hallo.", toYou: "{name} (an dich)", message: "Nachricht", send: "Senden",
  chooseFile: "Deine Kopie wählen", fileWanted: "Alle brauchen ihre eigene Kopie von {title}",
  fileHint: "Sie wird auf deinem Gerät abgespielt und niemandem geschickt.",
  open: "Öffnen", picture: "Bild", choose: "Auswählen …", speed: "Tempo", speedOf: "Tempo: {rate}", pictureInPicture: "Bild im Bild", backIntoPage: "Zurück in die Seite",
  watchElsewhere: "Anderswo ansehen",
  mediaFailed: "Dieser Browser kann {title} nicht abspielen.",
  didJoin: "{name} ist da", didLeave: "{name} ist gegangen", didLose: "{name} hat die Verbindung verloren", didReturn: "{name} ist wieder da",
  didPlay: "{name} hat gestartet", didPause: "{name} hat angehalten", didSeek: "{name} ging zu {position}", didRate: "{name} stellte das Tempo auf {rate}",
  didChange: "{name} wählte {title}", didReady: "{name} ist bereit", didStall: "{name} braucht einen Moment",
  didRemove: "{name} hat {other} entfernt", didFail: "{name} kann es nicht abspielen", didFollow: "Als Nächstes: {title}", didAdd: "{name} fügte {title} hinzu",
  didAddMany: "{name} fügte {count} Filme hinzu", didMove: "{name} verschob {title}", didTakeOut: "{name} nahm {title} heraus", didClear: "{name} leerte die Warteschlange",
  didShuffle: "{name} mischte die Warteschlange", didUnshuffle: "{name} ordnete die Warteschlange wie zuvor",
  didRepeatAll: "{name}: Nach dem letzten Film folgt der erste", didRepeatOne: "{name}: Dieser Film beginnt immer wieder von vorn",
  didRepeatOff: "{name}: Nichts beginnt von selbst von vorn",
  over: "Die Sitzung ist zu Ende.", overBy: "{name} hat die Sitzung beendet.", removed: "Du wurdest aus der Sitzung entfernt.", removedBy: "{name} hat dich aus der Sitzung entfernt.",
  lost: "Dein Platz in der Sitzung ging verloren.",
  nameTaken: "Dieser Name gehört hier schon jemandem, oder einem anderen Browser von dir. Wähle einen anderen, oder sag unten, dass du schon auf einem anderen Gerät hier bist.",
  noRoom: "Dieser Browser hat keinen Platz mehr für das, was sich die Seite merkt. Entferne Daten anderer Seiten und versuch es noch einmal.",
  keyNeeded: "Diese Gruppe verlangt ihren Schlüssel. Bitte jemanden um den ganzen Link.",
  outOfGroup: "Du bist nicht mehr in dieser Gruppe.",
  failed: "Das ging nicht: {why}",
  whyInProgress: "die anderen schauen etwas anderes", whyBanned: "wer leitet, lässt dich nicht wieder herein", whyFull: "die Sitzung ist voll",
  whyForbidden: "deine Rolle erlaubt es nicht", whyTheyAreBanned: "wer leitet, lässt diese Person nicht wieder herein",
  whyTheyAreRemoved: "diese Person wurde für immer aus der Gruppe entfernt", whyOver: "es ist schon vorbei", whyTooMany: "es sind schon zu viele",
  whyLate: "der Server hat nicht rechtzeitig geantwortet", whyBusy: "der Server ist beschäftigt, versuch es gleich noch einmal",
  share: "Teilen", shareText: "Schau mit mir: {group}", codeLabel: "QR-Code des Links zu {group}",
  whenReady: "Start, wenn alle bereit sind", waitsForAll: "{name} startet, wenn alle bereit sind: {ready} von {all}",
  startsSoon: "{name} startet den Film", takeBack: "Noch nicht",
  react: "Reagieren", reactWith: "Mit {reaction} reagieren", reacted: "{name}: {reaction}",
  unread: "{count} neu", toChat: "Zum Chat: {count} neue Nachrichten",
  next: "danach", more: "Mehr zu {title}", drag: "{title} verschieben: Pfeiltasten oder ziehen",
  moved: "{title} ist jetzt Nummer {place} von {all}", moveUp: "Nach oben", moveDown: "Nach unten", removeEntry: "Entfernen",
  shuffle: "Warteschlange mischen", repeat: "Warteschlange wiederholen",
  steers: "Wer steuert", steersEveryone: "Alle", steersHosts: "Nur wer leitet", hostsSteer: "Nur wer leitet, steuert.",
  ifStalled: "Wenn es stockt", keepGoing: "Weiter", together: "Alle warten", waitsAsSet: "Von einer App",
  waitsLimit: "Bis zu 30 Sekunden, solange höchstens sechs den Film offen haben.", allWait: "Wenn ein Film stockt, warten alle.",
  didWait: "{name}: Wenn ein Film stockt, warten alle", didPlayOn: "{name}: Wenn ein Film stockt, schauen die anderen weiter",
  makeHost: "Leiten lassen", makeCoHost: "Mitleiten lassen", makeGuest: "Zum Gast machen", makeListener: "Nur zuhören lassen",
  removeFromSession: "Aus der Sitzung entfernen", ban: "Entfernen und nicht wieder hereinlassen", removeForGood: "Für immer aus der Gruppe entfernen",
  really: "Noch einmal drücken, um {name} zu entfernen",
  didSteer: "{name} lässt alle steuern", didSteerHosts: "{name} lässt nur steuern, wer leitet", didRole: "{name}: von jetzt an {role}", guest: "Gast",
  library: "Von diesem Server", libraryFind: "Suchen", libraryMore: "Es gibt mehr; nenne sie bei ihrer Adresse.",
  ownFile: "Eine eigene Datei", ownFileHint: "Die anderen brauchen auch eine Kopie. Nichts wird hochgeladen.", or: "oder",
  fileDiffers: "Das ist nicht dieselbe Datei: {what}.",
  differsName: "ein anderer Name", differsSize: "eine andere Größe", differsBoth: "Name und Größe sind anders",
  lengthDiffers: "{name} hat eine Kopie anderer Länge: {own} statt {others}.", yourLength: "Deine Kopie hat eine andere Länge: {own} statt {others}.",
  useAnyway: "Trotzdem nehmen", chooseAnother: "Eine andere wählen",
  notifications: "Mitteilungen: {count}", notificationsTitle: "Mitteilungen", notificationsEmpty: "Nichts Neues.", clear: "Alle entfernen",
  removeNotice: "„{title}“ entfernen", accept: "Mitschauen", decline: "Jetzt nicht",
  pushMe: "Auch melden, wenn die Seite zu ist", pushDenied: "Dein Browser lässt diese Seite nichts melden. Das kannst du in seinen Einstellungen ändern.",
  invitesYou: "{name} lädt dich zum Mitschauen ein", inviteToSession: "Zum Mitschauen einladen", invited: "{name} ist eingeladen",
  addDevice: "Gerät hinzufügen", pairHint: "Öffne diese Seite auf dem anderen Gerät und gib den Namen {user} und diesen Code ein:", pairUntil: "Er gilt bis {time}.",
  pairAsked: "Ein Gerät namens {name} zeigt deinen Code. Ist es deins?", letIn: "Hereinlassen", notMine: "Nicht meins", paired: "Dein Gerät ist da",
  haveCode: "Ich bin schon auf einem anderen Gerät hier", code: "Code", codeHint: "Das andere Gerät zeigt ihn: Einstellungen, Gerät hinzufügen.",
  codeRefused: "Dieser Code lässt kein Gerät herein. Hol dir auf dem anderen Gerät einen neuen.", pairConfirm: "Bestätige auf dem anderen Gerät …",
  signInOver: "Deine Anmeldung ist abgelaufen. Öffne Matinee noch einmal aus deiner App.", endsSoon: "Deine Anmeldung läuft bald ab. Öffne Matinee noch einmal aus deiner App.", signedInAgain: "Du bist wieder angemeldet.",
};

const languages = { en: english, de: german };

/** @typedef {keyof typeof languages} Language */
/** @typedef {keyof typeof english} TextName */

/** @param {string} name @returns {boolean} whether this version of the page has a text of this name */
export const hasText = (name) => Object.hasOwn(english, name);

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

/**
 * A value in a sentence, whose direction is its own: a name with marks of direction would turn the sentence around.
 * @param {string} value @returns {string}
 */
function isolated(value) {
  const plain = value.replace(/\p{Bidi_Control}/gu, "");
  // In FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex 9).
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(plain)
    ? `\u2068${plain}\u2069` : plain;
}

/** @param {TextName} name @param {Record<string, string | number>} [values] @returns {string} */
export function text(name, values = {}) {
  return languages[language()][name].replace(/\{(\w+)\}/g, (_, key) => isolated(String(values[key] ?? "")));
}

/** @param {number} position µs @returns {string} such as 1:02:03 */
export function clockText(position) {
  const total = Math.floor(Math.max(position, 0) / 1_000_000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = String(seconds).padStart(2, "0");
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, "0")}:${tail}`;
}

/** @param {number} rate @returns {string} such as 1.25× */
export function speedText(rate) {
  return `${rate.toLocaleString(language(), { maximumFractionDigits: 2 })}×`;
}
