"""The page as an app on a home screen."""

import io
import json
import urllib.request

from browser_case import BrowserTests
from PIL import Image


class HomeScreenTests(BrowserTests):
    def test_the_page_has_icons_for_every_home_screen(self):
        ann = self.page("Ann")
        origin = f"http://127.0.0.1:{self.serving.port}"
        manifest = json.loads(urllib.request.urlopen(f"{origin}/manifest.webmanifest").read())
        icons = [(one["src"], one["sizes"], one["purpose"]) for one in manifest["icons"]]
        self.assertIn(("/icon-192.png", "192x192", "any"), icons)
        self.assertIn(("/icon-512.png", "512x512", "any"), icons)
        self.assertIn(("/icon-maskable.png", "512x512", "maskable"), icons)
        apple = ann.ask("document.querySelector('link[rel=apple-touch-icon]').getAttribute('href')")
        for source, sizes in [*((source, sizes) for source, sizes, _ in icons if sizes != "any"), (apple, "180x180")]:
            with self.subTest(source):
                answer = urllib.request.urlopen(origin + source)
                picture = Image.open(io.BytesIO(answer.read()))
                self.assertEqual(answer.headers["Content-Type"], "image/png")
                self.assertEqual("x".join(map(str, picture.size)), sizes)
                # What a system cuts into its own shape has a ground of its own.
                if source in (apple, "/icon-maskable.png"):
                    self.assertEqual(picture.convert("RGBA").getextrema()[3], (255, 255))
        # Chromium's own check of what a home screen takes.
        browser = ann.context.new_cdp_session(ann.page)
        faults = [fault["errorId"] for fault in browser.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        self.assertEqual([fault for fault in faults if fault != "in-incognito"], [])
