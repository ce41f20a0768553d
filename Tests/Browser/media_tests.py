"""Films of the server's own folder: chosen from the list, fetched in parts, and by participants only."""

import functools
import http.server
import pathlib
import shutil
import tempfile
import threading
import urllib.error
import urllib.request

from browser_case import BrowserTests
from evening import ROOT, wait_until

#: An app of another origin, with a copy of matinee.js.
APP_PAGE = """<!doctype html><title>App</title><video muted></video><script type="module">
import { Client, listMedia } from "/matinee.js";
const client = new Client({ url: "%s", user: "app", device: "app" });
client.attach(document.querySelector("video"));
client.start();
await client.joinGroup("friday");
globalThis.titles = (await listMedia(client)).media.map(({ title }) => title);
globalThis.client = client;
</script>"""


class AppHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class MediaTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        folder = pathlib.Path(cls.shared.name) / "films"
        (folder / "Season 1").mkdir(parents=True)
        shutil.copy(cls.film, folder / "Season 1" / "Zoë & Max.webm")
        shutil.copy(cls.film, folder / ".hidden.webm")
        for name, words in (("", "Hello."), (".de", "Hallo.")):
            subtitles = folder / "Season 1" / f"Zoë & Max{name}.vtt"
            subtitles.write_text(f"WEBVTT\n\n00:00.000 --> 01:30.000\n{words}\n")
        cls.app = pathlib.Path(cls.shared.name) / "app"
        shutil.copytree(ROOT / "Sources/WebClient/Site", cls.app)
        handler = functools.partial(AppHandler, directory=str(cls.app))
        cls.apps = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.apps.serve_forever, daemon=True).start()
        cls.origin = f"http://localhost:{cls.apps.server_port}"
        cls.options = ["--media", str(folder), "--origin", cls.origin]

    @classmethod
    def tearDownClass(cls):
        cls.apps.shutdown()
        cls.apps.server_close()
        super().tearDownClass()

    def test_what_is_chosen_for_the_queue_and_refused_is_told(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.page.click("m-start .library summary")
        ann.page.click("m-start .media button")
        ben.wait_joined()
        ann.page.click("m-queue .library summary")
        ann.ask("() => { matinee.request = () => Promise.reject(new Error('the queue is full')); }")
        ann.page.click("m-queue .media button")
        ann.page.wait_for_selector("text=That did not work: the queue is full")

    def test_a_film_is_chosen_from_the_list_and_both_play_it(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.page.click("m-start .library summary")
        titles = ann.page.locator("m-start .media button").all_inner_texts()
        self.assertEqual(titles, ["Season 1 / Zoë & Max"])
        self.assertEqual(ann.accessibility_faults(), [])
        ann.page.click("m-start .media button")
        ben.wait_joined()
        ann.page.click("text=Start together")
        for page in (ann, ben):
            page.wait_running()
        address = ben.ask("new URL(document.querySelector('video').currentSrc).href")
        self.assertIn("/media/s-", address)
        # Far ahead, where nothing is buffered: the player fetches that part.
        ann.ask("matinee.seek(70_000_000)")
        ben.wait("document.querySelector('video').currentTime > 69 && !document.querySelector('video').seeking",
                 "the film is near its end")
        self.assertEqual(self.status(address), 200)
        ann.ask("matinee.request('end', {})")
        ben.wait("matinee.session === null", "the session is over")
        self.assertEqual(self.status(address), 403)

    def test_its_subtitles_are_shown_by_a_menu_and_a_key_and_after_the_page_is_loaded_again(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.page.click("m-start .library summary")
        ann.page.click("m-start .media button")
        ben.wait_joined()
        shown = """[...document.querySelector('video').textTracks].filter(({ mode }) => mode === 'showing')
          .map(({ label, activeCues }) => [label, ...[...activeCues ?? []].map(({ text }) => text)].join())"""
        button = ann.page.locator("m-player [aria-label=Subtitles]")
        self.assertEqual(ann.ask(shown), [])
        ann.page.locator("m-player .stage").hover()
        button.click()
        self.assertEqual(ann.page.locator(".menu button").all_inner_texts(), ["No subtitles", "German", "Subtitles"])
        self.assertEqual(ann.accessibility_faults(), [])
        ann.page.click(".menu >> text=German")
        ann.wait(f"{shown}.join() === 'German,Hallo.'", "Ann reads")
        self.assertEqual(ben.ask(shown), [], "the others do not")
        ann.page.reload()
        ann.wait_joined()
        ann.page.click("text=Start together")
        ann.wait(f"{shown}.join() === 'German,Hallo.'", "Ann reads on")
        ann.page.focus("#main")
        ann.page.keyboard.press("c")
        self.assertEqual(ann.ask(shown), [])
        ann.page.keyboard.press("c")
        ann.wait(f"{shown}.length === 1", "the key brings them back")
        ann.ask("(url) => matinee.watch({ url }).then(() => null)", self.serving.films.address("film.webm"))
        button.wait_for(state="hidden")
        self.assertEqual(ann.ask("document.querySelectorAll('track').length"), 0)

    def test_an_app_of_another_origin_plays_it_too(self):
        ann = self.page("Ann").come_in()
        context = self.browser.new_context()
        self.addCleanup(context.close)
        (self.app / "app.html").write_text(APP_PAGE % f"ws://127.0.0.1:{self.serving.port}/ws")
        app = context.new_page()
        app.goto(f"{self.origin}/app.html")
        wait_until(lambda: app.evaluate("Boolean(globalThis.client)"), "the app is in the group")
        self.assertEqual(app.evaluate("titles"), ["Season 1 / Zoë & Max"])
        ann.page.click("m-start .library summary")
        ann.page.click("m-start .media button")
        wait_until(lambda: app.evaluate("client.session?.own.item"), "the app has the film open")
        ann.page.click("text=Start together")
        ann.wait_running()
        wait_until(lambda: app.evaluate("document.querySelector('video').currentTime > 1"), "the app's film runs")

    @staticmethod
    def status(address):
        try:
            return urllib.request.urlopen(address).status
        except urllib.error.HTTPError as error:
            return error.code
