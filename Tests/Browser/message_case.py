"""What every test of in-app messages needs: a server with a campaign of each kind, and who asks for it."""

import json
import pathlib

from browser_case import BrowserTests
from pictures import hills

HERE = pathlib.Path(__file__).resolve().parent
PHONE = {"width": 390, "height": 780}
ACROSS = {"width": 780, "height": 390}
PICTURES = {"wide.png": hills(640, 360), "tall.png": hills(360, 540)}


class MessageTests(BrowserTests):
    options = ("--campaigns", str(HERE / "Campaigns"))
    film_seconds = 5

    def viewer(self, name="Ann", **options):
        """Somebody in a group, who gets the campaigns' pictures, and whose reports are written down."""
        page = self.page(name, **{"viewport": PHONE, "group": f"group-{len(self.pages)}", **options})
        page.reports, page.stolen = [], []
        page.page.on("websocket", lambda socket: socket.on(
            "framesent", lambda text: self.note(page, text)))
        page.context.route("https://pictures.example/**", self.serve_picture)
        # What is asked of this server was let through by the browser.
        page.context.route("https://evil.example/**", lambda route: self.serve_evil(page, route))
        # The socket is opened again, now that somebody listens.
        page.page.reload()
        page.come_in()
        return page

    @staticmethod
    def note(page, text):
        line = json.loads(text)
        if line["type"] == "reportMessage":
            words = [line["report"], line.get("reason"), line.get("button")]
            page.reports.append(" ".join(word for word in words if word is not None))
        elif line["type"] in ("logEvent", "logPurchase", "setAttributes", "setMembership"):
            page.reports.append(line)

    @staticmethod
    def serve_evil(page, route):
        page.stolen.append(route.request.url)
        route.fulfill(body="stolen", headers={"Access-Control-Allow-Origin": "*"})

    @staticmethod
    def serve_picture(route):
        name = route.request.url.rsplit("/", 1)[1]
        if name in PICTURES:
            route.fulfill(body=PICTURES[name], content_type="image/png")
        else:
            route.fulfill(status=404)

    def show(self, page, campaign, still=True, **fields):
        """Asks the server for a campaign's message, and waits until it is on screen."""
        if still:
            page.page.emulate_media(reduced_motion="reduce")
        self.ask_for(page, campaign, **fields)
        page.wait(f"matinee.messages.visible?.campaign?.id === {json.dumps(campaign)}", campaign)
        page.page.wait_for_selector(".matinee-message")
        page.wait("[...document.querySelectorAll('.matinee-message img')].every(one => one.complete)", "its pictures")
        page.wait("document.querySelector('m-message-page:not([shown])') === null", "its page")
        return page.page.locator(".matinee-message")

    @staticmethod
    def ask_for(page, campaign, **fields):
        page.page.evaluate("fields => { matinee.request('testMessage', fields); }", {"campaign": campaign, **fields})

    @staticmethod
    def catch_windows(page):
        """Notes what would open beside the page."""
        page.ask("() => { globalThis.open = (url) => { globalThis.opened = url; }; }")

    def wait_gone(self, page):
        page.wait("matinee.messages.visible === null && document.querySelector('m-message') === null", "the message is gone")

    def wait_report(self, page, report):
        page.wait_for(lambda: report in page.reports, f"a report: {report}")

    def wait_reports(self, page, *expected):
        """All reports so far, and none twice."""
        reports = lambda: [one for one in page.reports if isinstance(one, str)]
        page.wait_for(lambda: len(reports()) >= len(expected), f"{expected}, not {reports()}")
        self.assertEqual(reports(), list(expected))

    @staticmethod
    def lines(page, kind):
        """What was said to the server besides reports."""
        return [one for one in page.reports if not isinstance(one, str) and one["type"] == kind]

    def check_picture(self, page, name):
        # A message's picture has no other reason to change than the message.
        self.compare_picture(page, name, without="body > header, main, .toasts")
