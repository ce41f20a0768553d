// An app in TypeScript finds the types of matinee.js in its JSDoc; `tsc -p .` checks this one. It begins with the
// example at the head of matinee.js.

import { MatineeError, MessageScreen } from "../../Sources/WebClient/Site/matinee.js";
import { Client, Identity, readLink } from "../../Sources/WebClient/Site/matinee.js";

const identity = new Identity();
const { device, token } = await identity.device("ann", "friday");
const client = new Client({
  url: `wss://${location.host}/ws`, user: "ann", device, token,
  credential: () => identity.credential("ann"),
});

// A page that is loaded again is the same device, and goes on where it was.
const keep = () => identity.keepDevice({ user: "ann", group: "friday", device, token: client.token });
client.addEventListener("connection", keep);

const video = document.createElement("video");
document.body.append(video);
client.attach(video);                               // it follows the group from now on
client.addEventListener("session", ({ detail: session }) => {
  console.log(session === null ? client.lastReason : session.activity.metadata?.title);
});
client.addEventListener("needsGesture", () => {
  video.onclick = () => client.player?.unlock();    // the browser wants a tap before it plays
});
client.start();

const { group, key } = readLink(location);          // /friday#KEY
await client.joinGroup(group ?? "friday", key);
await client.watch({ url: "https://example.org/film.mp4" });   // or join what is offered, by itself
await client.play();                                // for everybody, at the same instant

export function draw(tabBar: HTMLElement) {
  const { messages } = client;
  messages.display = new MessageScreen();
  messages.delegate = { beforeEnter: (view) => { view.edgeOffset = tabBar.offsetHeight; } };
}

export function listen(log: (line: string) => void) {
  client.addEventListener("connection", ({ detail }) => log(`${detail.state} ${detail.error?.code ?? detail.why}`));
  client.addEventListener("group", ({ detail: group }) => log(`${group?.members.size ?? 0} in the group`), { once: true });
  client.addEventListener("chat", ({ detail }) => log(`${detail.name}: ${detail.text.trim()}`));
  client.addEventListener("change", ({ detail }) => log(`${detail.event} ${detail.gone?.name ?? detail.participant}`));
  client.addEventListener("drift", ({ detail: ahead }) => log(`${(ahead / 1_000).toFixed()} ms`));
  client.addEventListener("refused", ({ detail: error }) => {
    log(error instanceof MatineeError ? error.code : error.message);
  });
  client.addEventListener("messageClicked", ({ detail }) => log(detail.url ?? detail.message.message));
  client.addEventListener("tray", ({ detail }) => log(detail.map(({ notification, payload }) => payload.group ?? notification).join()));
  const hear = (event: CustomEvent<{ at: number }>) => log(`${event.detail.at}`);
  client.addEventListener("credentialExpires", hear);
  client.removeEventListener("credentialExpires", hear);
  addEventListener("resume", () => client.reconnect());
  client.addEventListener("an event of the app's own", (event: Event) => log(event.type));
}

export async function mistakes() {
  // @ts-expect-error: a film is an object with a `url`.
  await client.watch("https://example.org/film.mp4");
  // @ts-expect-error: a duration is a number, in microseconds.
  await client.watch({ url: "https://example.org/film.mp4", duration: "1:30:00" });
  // @ts-expect-error: there is no such function.
  client.pauze();
  // @ts-expect-error: there is no such event, which could have a detail.
  client.addEventListener("sesion", ({ detail }) => detail);
  // @ts-expect-error: outside of a session it is null.
  client.addEventListener("session", ({ detail: session }) => session.activity);
  // @ts-expect-error: it is a number.
  client.addEventListener("drift", (event: CustomEvent<string>) => event.detail);
}
