"""Notifications while no page is open: a real push of the server's, shown and answered by the service worker."""

import functools
import json
import sys
import threading
import types
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from browser_case import BrowserTests
from evening import ROOT, wait_until
from push_service import PushService

#: An app of another origin, with a copy of the page's files.
APP_PAGE = """<!doctype html><title>App</title><script type="module">
import { Client, startPush } from "/matinee.js";
const client = new Client({ url: "%s", user: "Cem", device: "app" });
client.start();
await client.joinGroup("friday");
globalThis.app = { client, subscribe: () => startPush(client.tray, "en") };
</script>"""


class WorkerCase(BrowserTests):
    @property
    def origin(self):
        """Whose page the worker belongs to."""
        return f"http://127.0.0.1:{self.serving.port}"

    @property
    def options(self):
        return ("--web-push-key-file", f"{self.folder.name}/push.key", "--web-push-subject", "mailto:ann@example.org",
                "--web-push-plain", "--resume-grace", "1")

    def setUp(self):
        self.service = PushService()
        super().setUp()

    def tearDown(self):
        self.service.stop()
        super().tearDown()

    def subscribed(self, link=None):
        """Cem, whose browser has the tests' push service in place of its maker's."""
        cem = self.page("Cem", link=link)
        self.bring_service(cem)
        cem.page.reload()
        cem.come_in()
        cem.page.click("[aria-label^=Notifications]")
        cem.page.check("#push")
        cem.wait("globalThis.asked?.applicationServerKey.length === 87", "the browser subscribes with the server's key")
        cem.wait("matinee.tray.isPushed", "the server has the subscription")
        return cem

    def bring_service(self, cem):
        """Lets a page subscribe at the tests' push service, once it is loaded."""
        cem.context.grant_permissions(["notifications"])
        cem.page.add_init_script(f"""
          const subscription = {{ toJSON: () => ({json.dumps(self.service.subscription)}), unsubscribe: async () => true }};
          PushManager.prototype.subscribe = async function (options) {{ globalThis.asked = options; return subscription; }};
          PushManager.prototype.getSubscription = async () => globalThis.asked ? subscription : null;""")

    def leave_only_the_worker(self, cem):
        """Closes the page; another of the same origin, which is not the app, lets the test look in."""
        window = cem.context.new_page()
        window.goto(f"{self.origin}/icon.svg")
        cem.page.close()
        self.pages = [page for page in self.pages if page is not cem]
        self.registrations = []
        self.control = cem.context.new_cdp_session(window)
        self.control.on("ServiceWorker.workerRegistrationUpdated",
                        lambda told: self.registrations.extend(told["registrations"]))
        self.control.send("ServiceWorker.enable")
        wait_until(lambda: (window.wait_for_timeout(50), self.registrations)[1], "the worker is registered")
        return window

    def deliver(self, payload):
        self.control.send("ServiceWorker.deliverPushMessage", {
            "origin": f"{self.origin}/", "data": json.dumps(payload),
            "registrationId": self.registrations[-1]["registrationId"]})

    def shown(self, window):
        return window.evaluate("""async () => (await (await navigator.serviceWorker.getRegistration('/')).getNotifications())
          .map((one) => ({ title: one.title, body: one.body, actions: one.actions.map((each) => each.title), data: one.data }))""")

    def deliver_and_see(self, cem, window, payload):
        """The notifications that are on screen after a push. Chromium without a desktop forgets one in twenty that its
        worker has shown, as the worker's promise tells; such a push is handed over again, as a push service may do."""
        self.note_shows(cem)
        for times in range(1, 4):
            self.deliver(payload)
            wait_until(lambda: len(self.told(cem)) == times, "the worker shows it")
            try:
                return wait_until(lambda: self.shown(window), "the browser has it", 3)
            except AssertionError:
                print("worker_tests: the browser has forgotten a notification", file=sys.stderr)
        return self.fail("the browser forgets whatever the worker shows")

    def note_shows(self, cem):
        """Notes what the worker shows from now on."""
        self.in_worker(cem, """globalThis.told = [];
            globalThis.show ??= ServiceWorkerRegistration.prototype.showNotification;
            ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
              await show.call(this, title, options); told.push([title, options.body]); };""")

    def told(self, cem):
        return self.in_worker(cem, "return told;")

    def in_worker(self, cem, script):
        return cem.context.service_workers[0].evaluate(f"() => {{ {script} }}")

    def respond(self, cem, action):
        """Presses a button of the notification, which a browser lets no script do: the event is made up, and
        only its waitUntil refuses that."""
        cem.context.service_workers[0].evaluate("""async (action) => {
          const [notification = globalThis.kept] = await registration.getNotifications();
          dispatchEvent(new NotificationEvent('notificationclick', { notification, action }));
        }""", action)


class WorkerTests(WorkerCase):
    def test_an_invitation_is_pushed_shown_and_answered_without_a_page(self):
        ann = self.page("Ann").come_in()
        self.page("Ben").come_in()
        cem = self.subscribed()
        window = self.leave_only_the_worker(cem)
        ann.wait("matinee.group.members.size === 2", "Cem is gone")
        ann.choose(self.serving.films.address("film.webm"))
        payload = self.service.take()
        self.assertEqual(payload["aps"]["category"], "GROUP_WATCH_INVITE")
        [shown] = self.deliver_and_see(cem, window, payload)
        self.assertEqual((shown["title"], shown["body"], shown["actions"]),
                         ("film", "Ann invites you to watch together", ["Watch along", "Not now"]))
        ann.ask("matinee.addEventListener('change', ({ detail }) => { if (detail.event === 'invitationAnswered') globalThis.answered = detail; })")
        self.respond(cem, "declined")
        ann.wait("globalThis.answered?.user === 'Cem' && answered.answer === 'declined'", "Ann's session hears of it")
        self.assertEqual(self.shown(window), [])
        cem.context.close()

    def invited(self, group="friday"):
        """Ann's invitation, as Cem's worker shows it while no page of his is open."""
        link = f"http://127.0.0.1:{self.serving.port}/?group={group}"
        ann, _ = self.page("Ann", link=link).come_in(), self.page("Ben", link=link).come_in()
        cem = self.subscribed(link)
        window = self.leave_only_the_worker(cem)
        ann.wait("matinee.group.members.size === 2", "Cem is gone")
        ann.choose(self.serving.films.address("film.webm"))
        self.deliver_and_see(cem, window, self.service.take())
        ann.ask("""{ globalThis.answers = []; matinee.addEventListener('change', ({ detail }) => {
            if (detail.event === 'invitationAnswered') answers.push([detail.user, detail.answer]); }); }""")
        # No gesture is real here, without which a worker may open nothing.
        self.in_worker(cem, """globalThis.opened = [];
            Clients.prototype.openWindow = async (url) => { opened.push(url); };
            WindowClient.prototype.focus = async function () { opened.push('front: ' + new URL(this.url).pathname); };""")
        return ann, cem, window

    def wait_opened(self, cem, *places):
        wait_until(lambda: self.in_worker(cem, "return opened;") == list(places), f"{places} is opened", 10)

    def test_watch_along_opens_the_group_s_page_and_is_answered(self):
        ann, cem, window = self.invited()
        self.respond(cem, "accepted")
        self.wait_opened(cem, "/friday")
        ann.wait("answers.length === 1", "Ann's session hears of it")
        self.assertEqual(ann.ask("answers"), [["Cem", "accepted"]])
        self.assertEqual(self.shown(window), [])
        # What the worker opens takes Cem into the session.
        window.goto(self.serving.link("friday"))
        wait_until(lambda: window.evaluate("globalThis.matinee?.session?.participants.size === 3"), "Cem watches along")
        cem.context.close()

    def test_a_tap_opens_the_group_s_page_and_answers_nothing(self):
        ann, cem, window = self.invited("film.club")
        self.respond(cem, "")
        # A name with a dot would be a file of the page.
        self.wait_opened(cem, "/?group=film.club")
        self.assertEqual(self.shown(window), [])
        ann.ask("matinee.chat('Is Cem coming?')")
        ann.page.wait_for_selector("m-chat >> text=Is Cem coming?")
        self.assertEqual(ann.ask("answers"), [])
        cem.context.close()

    def test_a_page_of_the_group_that_is_open_comes_to_the_front(self):
        _, cem, window = self.invited()
        cem.context.service_workers[0].evaluate("async () => { [globalThis.kept] = await registration.getNotifications(); }")
        other = cem.context.new_page()
        other.goto(self.serving.link("friday"))
        other.wait_for_selector("#main")
        # Who watches along needs no invitation any more, but may have pressed it just before.
        wait_until(lambda: self.shown(window) == [], "the invitation goes")
        self.respond(cem, "")
        self.wait_opened(cem, "front: /friday")
        cem.context.close()

    def changed(self, cem, more=""):
        """The browser has dropped its subscription; what the worker asks for instead is the tests' own."""
        self.in_worker(cem, f"""PushManager.prototype.subscribe = async (options) => {{
              globalThis.asked = {{ ...options }}; return {{ toJSON: () => ({{}}) }}; }};
            dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'), {{ {more} }}));""")

    def test_a_changed_subscription_is_told_by_an_open_page(self):
        cem = self.subscribed()
        fresh = {**self.service.subscription, "endpoint": self.service.subscription["endpoint"].replace("/s/1", "/s/2")}
        cem.ask(f"""{{ PushManager.prototype.getSubscription = async () => ({{ toJSON: () => ({json.dumps(fresh)}) }});
            globalThis.registered = []; const request = matinee.request;
            matinee.request = function (type, fields) {{ registered.push([type, fields]); return request.call(matinee, type, fields); }}; null; }}""")
        self.changed(cem)
        cem.wait("registered.some(([type, fields]) => type === 'registerForNotifications' && fields.webPush?.endpoint.endsWith('/s/2'))",
                 "the page tells the server of the new one")
        asked = self.in_worker(cem, "return { visible: asked.userVisibleOnly, key: asked.applicationServerKey.length };")
        self.assertEqual(asked, {"visible": True, "key": 87})

    def test_without_a_page_a_changed_subscription_asks_for_one(self):
        cem = self.subscribed()
        window = self.leave_only_the_worker(cem)
        worker = cem.context.service_workers[0]
        window.goto("about:blank")
        self.changed(cem)
        wait_until(lambda: worker.evaluate("async () => (await registration.getNotifications()).map((one) => one.body)")
                   == ["Open Matinee once, so that it can go on telling you of invitations."], "the person is told", 10)
        cem.context.close()

    def test_every_push_shows_something_and_a_line_takes_the_place_of_what_is_withdrawn(self):
        cem = self.subscribed()
        window = self.leave_only_the_worker(cem)
        trailer = {"aps": {"alert": {"title": "New trailer", "body": "Two minutes"}}, "matinee": {"notification": "n-1", "at": 1}}
        [shown] = self.deliver_and_see(cem, window, trailer)
        self.assertEqual(shown["body"], "Two minutes")
        silent = {"aps": {"content-available": 1}}
        for payload, line in [({**silent, "revoke": ["n-1"]}, ["New trailer", "No longer current."]),
                              (silent, ["Matinee", "An earlier notification is no longer current."])]:
            self.note_shows(cem)
            self.deliver(payload)
            wait_until(lambda: self.told(cem) == [line], f"the worker shows {line}")
        cem.context.close()

    def test_a_page_that_nobody_sees_lets_its_worker_show_what_arrives(self):
        ann, cem = self.page("Ann").come_in(), self.subscribed()
        cem.ask("() => { Object.defineProperty(document, 'hidden', { value: true }); }")
        self.note_shows(cem)
        ann.ask("""matinee.request('publish', { topic: `group/${matinee.group.id}`,
            alert: { title: 'New trailer', body: 'Two minutes' } }).then(() => null)""")
        wait_until(lambda: self.told(cem) == [["New trailer", "Two minutes"]], "the worker shows it")
        self.assertEqual(cem.page.locator(".toast >> text=New trailer").count(), 0)


class AppHandler(SimpleHTTPRequestHandler):
    """An app's server: its page, and its copies of the page's files."""

    socket = ""

    def do_GET(self):
        if self.path != "/app.html":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write((APP_PAGE % self.socket).encode())

    def log_message(self, *_):
        pass


class AppWorkerTests(WorkerCase):
    """The worker of an app, whose page is of another origin than the server."""

    def setUp(self):
        self.handler = type("Handler", (AppHandler,), {})
        site = str(ROOT / "Sources/WebClient/Site")
        self.apps = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(self.handler, directory=site))
        threading.Thread(target=self.apps.serve_forever, daemon=True).start()
        super().setUp()
        self.handler.socket = f"ws://127.0.0.1:{self.serving.port}/ws"

    def tearDown(self):
        super().tearDown()
        self.apps.shutdown()
        self.apps.server_close()

    @property
    def origin(self):
        return f"http://localhost:{self.apps.server_port}"

    @property
    def options(self):
        return (*super().options, "--origin", self.origin)

    def test_an_invitation_is_pushed_to_an_app_and_its_worker_answers_the_server(self):
        ann, _ = self.page("Ann").come_in(), self.page("Ben").come_in()
        context = self.browser.new_context()
        self.addCleanup(context.close)
        cem = types.SimpleNamespace(context=context, page=context.new_page())
        self.bring_service(cem)
        cem.page.goto(f"{self.origin}/app.html")
        wait_until(lambda: cem.page.evaluate("Boolean(globalThis.app)"), "the app is in the group")
        self.assertEqual(cem.page.evaluate("app.subscribe()"), "on")
        self.assertEqual(cem.page.evaluate("asked.applicationServerKey.length"), 87)
        window = self.leave_only_the_worker(cem)
        ann.wait("matinee.group.members.size === 2", "Cem is gone")
        ann.choose(self.serving.films.address("film.webm"))
        self.deliver_and_see(cem, window, self.service.take())
        ann.ask("matinee.addEventListener('change', ({ detail }) => { if (detail.event === 'invitationAnswered') globalThis.answered = detail; })")
        self.respond(cem, "declined")
        ann.wait("globalThis.answered?.user === 'Cem' && answered.answer === 'declined'", "Ann's session hears of it")
        self.assertEqual(self.shown(window), [])
