"""Credentials of an app's backend: how they let in, expire in the middle of a film, and are renewed."""

import base64
import hashlib
import hmac
import json
import os
import time

from browser_case import BrowserTests
from evening import wait_until

#: The server takes tokens for this much longer than they say, in seconds, since clocks differ.
LEEWAY = 60

#: Notes whatever interrupts a film or a connection from here on.
WATCHMAN = """([client, video]) => {
  globalThis.interruptions = [];
  for (const name of ["pause", "waiting", "seeking", "emptied"]) {
    video.addEventListener(name, () => interruptions.push(name));
  }
  for (const name of ["connection", "session"]) client.addEventListener(name, ({ detail }) => interruptions.push(detail?.state ?? name));
}"""


class TokenCase(BrowserTests):
    access = "tokens"
    secret = b"a secret of the app's backend, 32 bytes and more"

    #: How long before its end the server says so, in seconds.
    notice = 60

    @property
    def options(self):
        path = f"{self.folder.name}/token.key"
        with open(path, "wb") as file:
            file.write(self.secret)
        os.chmod(path, 0o600)
        return ("--token-key-file", path, "--credential-notice", str(self.notice))

    def token(self, user, expires):
        encode = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
        claims = {"sub": user, "name": user.title(), "groups": ["friday"], "exp": int(time.time() + expires)}
        text = b".".join(encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        return (text + b"." + encode(hmac.new(self.secret, text, hashlib.sha256).digest())).decode()


class TokenTests(TokenCase):
    def test_a_token_lets_in_and_an_expired_one_is_told(self):
        ann = self.page("Ann", key=f"token={self.token('ann', 3600)}")
        ann.wait("matinee.group !== null", "the token lets Ann in")
        self.assertEqual(ann.ask("matinee.group.members.values().next().value.name"), "Ann")
        self.assertTrue(ann.page.url.endswith("/friday"), "who copies the address copies no token")
        ann.page.reload()
        ann.wait("matinee.group !== null", "the tab keeps it")
        ben = self.page("Ben", key=f"token={self.token('ben', -300)}")
        ben.page.wait_for_selector("text=Your sign-in is over. Open Matinee from your app again.")
        self.assertEqual(ben.accessibility_faults(), [])


class RenewalTests(TokenCase):
    notice = 8

    #: How long the tokens here are good, in seconds: the server says eight seconds before that they end.
    life = 14

    def watching_with(self, life, leeway=0):
        """Ann and Ben, whose token is replaced by one that ends while they watch: and when it does."""
        ann = self.page("Ann", key=f"token={self.token('ann', 3600)}")
        ann.wait("matinee.group !== null", "the token lets Ann in")
        ben = self.page("Ben", key=f"token={self.token('ben', 3600)}")
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        ann.page.click("text=Start together")
        for page in (ann, ben):
            page.wait_running()
        begun = time.monotonic()
        self.sign_in_again(ben, self.token("ben", life - leeway))
        return ann, ben, begun + life

    def sign_in_again(self, page, token):
        # What the app opens in this tab differs only behind the # from where it is.
        page.page.goto(self.serving.link("friday", f"token={token}"))
        page.page.wait_for_selector("text=You are signed in again.")

    def watch_for(self, page, client="matinee", video="document.querySelector('video')"):
        page.evaluate(f"({WATCHMAN})([{client}, {video}])")

    def test_an_app_renews_it_and_nothing_is_interrupted(self):
        ann = self.page("Ann", key=f"token={self.token('ann', 3600)}")
        ann.wait("matinee.group !== null", "the token lets Ann in")
        context = self.browser.new_context(ignore_https_errors=True)
        self.addCleanup(context.close)
        app = context.new_page()
        given = []
        app.expose_function("freshToken", lambda: (given.append(time.monotonic()), self.token("cem", 15))[1])
        app.goto(f"http://127.0.0.1:{self.serving.port}/")
        app.evaluate("""async (url) => {
          const { Client } = await import("/matinee.js");
          const video = document.createElement("video");
          document.body.append(video);
          globalThis.app = new Client({ url, user: "cem", device: "app", credential: () => freshToken() });
          app.attach(video);
          app.start();
          await app.joinGroup("friday");
        }""", f"ws://127.0.0.1:{self.serving.port}/ws")
        ann.choose(self.serving.films.address("film.webm"))
        wait_until(lambda: app.evaluate("app.session?.own.item"), "the app has the film open")
        ann.page.click("text=Start together")
        wait_until(lambda: app.evaluate("document.querySelector('video').currentTime > 0.5"), "the app's film runs")
        self.watch_for(app, "app")
        given.clear()
        place, since = app.evaluate("document.querySelector('video').currentTime"), time.monotonic()
        app.wait_for_timeout(14_000)
        played = app.evaluate("document.querySelector('video').currentTime") - place
        self.assertEqual(app.evaluate("interruptions"), [])
        self.assertAlmostEqual(played, time.monotonic() - since, delta=0.5)
        # Each is good for 14 to 15 seconds, and the server asks for the next eight seconds before.
        self.assertGreaterEqual(len(given), 1)
        self.assertLessEqual(len(given), (time.monotonic() - since) / 5)
        self.assertEqual(ann.ask("matinee.session.participants.size"), 2)

    def test_the_page_takes_another_link_of_the_app_and_plays_on(self):
        # The server takes it within the leeway only, as if its clock were ahead of the app's.
        _, ben, end = self.watching_with(self.life, leeway=LEEWAY)
        self.watch_for(ben.page)
        ben.page.wait_for_selector("text=Your sign-in ends soon. Open Matinee from your app again.")
        self.sign_in_again(ben, self.token("ben", 3600))
        ben.page.wait_for_timeout(max(0, end + 2 - time.monotonic()) * 1000)
        self.assertEqual(ben.ask("interruptions"), [])
        self.assertTrue(ben.page.url.endswith("/friday"), "who copies the address copies no token")
        self.assertTrue(ben.ask("matinee.isOnline && !document.querySelector('video').paused"))
        ben.page.reload()
        ben.wait("matinee.session !== null", "the tab keeps the new one")

    def test_without_another_one_the_person_is_told_once_and_signs_in_again(self):
        ann, ben, end = self.watching_with(self.life)
        ben.ask("""{ globalThis.told = 0;
            new MutationObserver((changes) => { for (const one of changes) told += one.addedNodes.length; })
              .observe(document.getElementById("toasts"), { childList: true }); }""")
        self.watch_for(ann.page)
        ben.page.wait_for_selector("text=Your sign-in is over. Open Matinee from your app again.")
        self.assertGreaterEqual(time.monotonic(), end - 1.5, "not before its end")
        self.assertLess(time.monotonic(), end + LEEWAY / 4, "at once, although the server's leeway begins")
        self.assertEqual(ben.page.locator("video").count(), 0)
        self.assertLessEqual(ben.ask("told"), 2, "the end that comes, and that it has come")
        self.assertEqual(ben.accessibility_faults(), [])
        # The page, which was not left, loads itself anew.
        with ben.page.expect_event("load"):
            ben.page.goto(self.serving.link("friday", f"token={self.token('ben', 3600)}"))
        ben.wait_joined()
        ben.wait_running()
        self.assertEqual(ann.ask("interruptions"), [])
        ann.wait("[...matinee.session.participants.values()].filter(one => one.lostUntil === undefined).length === 2",
                 "Ann watches with Ben again")
