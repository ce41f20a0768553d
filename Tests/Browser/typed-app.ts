// An app in TypeScript finds the types of matinee.js in its JSDoc; `tsc -p .` checks this one.

import { Client, Identity, MessageScreen, readLink } from "../../Sources/WebClient/Site/matinee.js";

const identity = new Identity();
const { device, token } = await identity.device("ann", "friday");
const client = new Client({
  url: `wss://${location.host}/ws`, user: "ann", device, token,
  credential: () => identity.credential("ann"),
});

export async function watch(video: HTMLVideoElement) {
  client.attach(video);
  client.start();
  const { group, key } = readLink(location);
  await client.joinGroup(group ?? "friday", key);
  await client.watch({ url: "https://example.org/film.mp4", duration: 5_400_000_000 });
  await client.play();
}

export function draw(tabBar: HTMLElement) {
  const { messages } = client;
  messages.display = new MessageScreen();
  messages.delegate = { beforeEnter: (view) => { view.edgeOffset = tabBar.offsetHeight; } };
}

export async function mistakes() {
  // @ts-expect-error: a film is an object with a `url`.
  await client.watch("https://example.org/film.mp4");
  // @ts-expect-error: a duration is a number, in microseconds.
  await client.watch({ url: "https://example.org/film.mp4", duration: "1:30:00" });
  // @ts-expect-error: there is no such function.
  client.pauze();
}
