"""What every test in a browser needs; run them with: python3 -m unittest -v watching_tests session_tests

They need a built `matinee`, Debian's chromium, ffmpeg and mpv, and from PyPI playwright and
axe-playwright-python and cryptography; engines_tests also Debian's firefox-esr and webkit2gtk-driver.
"""

import atexit
import functools
import os
import pathlib
import shutil
import tempfile
import threading
import time
import unittest

from evening import CHROMIUM, FREELY, SWITCHES, Page, Serving, differences, make_film, percentile
from pictures import compare
from playwright.sync_api import sync_playwright


@functools.cache
def shared_film(seconds):
    """A film that all tests of this process use, because making it takes seconds."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return make_film(pathlib.Path(folder.name), seconds)


@functools.cache
def playwright():
    """What drives Chromium for all tests of this process."""
    driver = sync_playwright().start()
    atexit.register(driver.stop)
    return driver


def shared_browser():
    """A browser that all tests of this process use, because starting one takes seconds."""
    # One that crashed costs the tests of its class, and no others.
    if not running or not running[-1].is_connected():
        running.append(launch(FREELY))
        atexit.register(running[-1].close)
    return running[-1]


#: The browsers that `shared_browser` has started.
running = []


def launch(*switches):
    """Starts a browser of its own."""
    return playwright().chromium.launch(executable_path=CHROMIUM, args=[*SWITCHES, *switches])


class BrowserTests(unittest.TestCase):
    """Each test has a server and pages of its own; all share a browser, and a film."""

    access = "open"
    options = ()
    delay = 0
    film_seconds = 90
    #: A test that takes longer, in seconds, hangs: the driver waits for some answers for ever.
    patience = 900
    #: How a process ends whose test hangs; `run` goes on with the tests after it.
    hanging = 3

    @classmethod
    def setUpClass(cls):
        cls.film = shared_film(cls.film_seconds)
        cls.browser = shared_browser()

    def setUp(self):
        self.watch = threading.Timer(self.patience, self.end_hanging)
        self.watch.daemon = True
        self.watch.start()
        self.addCleanup(self.watch.cancel)
        self.folder = tempfile.TemporaryDirectory()
        self.serving = Serving(pathlib.Path(self.folder.name), self.access, self.options, self.delay)
        shutil.copy(self.film, self.serving.media / "film.webm")
        self.serving.start()
        self.pages = []

    def tearDown(self):
        complaints = [line for page in self.pages for line in page.complaints]
        for page in self.pages:
            page.close()
        self.serving.stop()
        self.folder.cleanup()
        self.assertEqual(complaints, [])

    def end_hanging(self):
        # As at the end of a run: with what failed before, and this test.
        result = self._outcome.result
        result.addError(self, (TimeoutError, TimeoutError(f"it hangs: ended after {self.patience} s"), None))
        result.printErrors()
        result.stream.flush()
        self.serving.stop()
        os._exit(self.hanging)

    def compare_picture(self, page, name, without):
        """Compares what is on screen with the kept picture of this name, until the page has settled."""
        with self.subTest(picture=name):
            end = time.monotonic() + 5
            while (fault := compare(name, self.shot(page, without))) and time.monotonic() < end:
                time.sleep(0.2)
            self.assertIsNone(fault)

    def shot(self, page, without):
        """What is on screen, without the parts that are others each time."""
        # A sheet, because parts are drawn anew meanwhile; adopted, because the page's policy lets no other in.
        page.ask("""hidden => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`:is(${hidden}) { visibility: hidden !important; }`);
          document.adoptedStyleSheets = [sheet];
        }""", without)
        shot = page.page.screenshot(animations="disabled", caret="hide")
        page.ask("document.adoptedStyleSheets = []")
        return shot

    def page(self, name, browser=None, **options):
        page = Page(browser or self.browser, self.serving, name, **options)
        self.pages.append(page)
        return page

    def two_at_the_start(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        return ann, ben

    def two_watching(self):
        ann, ben = self.two_at_the_start()
        ann.page.click("text=Start together")
        ann.wait_running()
        ben.wait_running()
        return ann, ben

    def apart(self, one, other, seconds=4.0):
        """How far two pages are apart, in ms: the median and the 95th percentile."""
        for page in (one, other):
            page.start_sampling()
        time.sleep(seconds)
        values = [abs(value) for value in differences(one.samples(), other.samples())]
        self.assertGreater(len(values), 50, "the films run")
        result = percentile(values, 0.5), percentile(values, 0.95)
        print(f"    {self._testMethodName}: median {result[0]:.1f} ms, 95 % {result[1]:.1f} ms")
        return result
