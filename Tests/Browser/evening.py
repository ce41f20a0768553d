"""An evening in browsers: a server, pages that open it, and what they show and play."""

import json
import os
import pathlib
import socket
import subprocess
import urllib.parse
import urllib.request

import axe_playwright_python
from films import Films
from network import Network
from visitor import PATIENCE, Visitor, wait_until

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("MATINEE", str(ROOT / ".build" / "debug" / "matinee"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
AXE = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
# Headless, as root in a container, with sound that nobody hears.
SWITCHES = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio"]
# A folder whose files are served in place of those in the program, for trials without a build.
SITE = os.environ.get("MATINEE_SITE")
if SITE:
    # A page from disk has no address, so the browser would keep it from this machine's server.
    SWITCHES.append("--disable-features=LocalNetworkAccessChecks")
FREELY = "--autoplay-policy=no-user-gesture-required"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_film(folder, seconds=90):
    """A film whose picture shows the second as a digit, with a tone."""
    path = folder / "film.webm"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25",
         "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", str(seconds),
         "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "300k", "-g", "25",
         "-c:a", "libvorbis", str(path)], check=True)
    return path


class Serving:
    """A server for browsers, behind a network of its own, and one for films."""

    def __init__(self, folder, access="open", options=(), delay=0):
        self.folder, self.access, self.options = folder, access, options
        # Kept over a restart, because the pages come back to them.
        self.line_port, self.port, server_port = free_port(), free_port(), free_port()
        self.network = Network(self.port, server_port, delay) if delay else None
        self.server_port = server_port if delay else self.port
        self.access_key = folder / "access.key"
        self.media = folder / "media"
        self.media.mkdir(exist_ok=True)
        self.films = Films(self.media)
        self.server = None

    def start(self):
        with open(self.folder / "server.log", "ab") as log:
            self.server = subprocess.Popen(
                [PROGRAM, "serve", "--listen", f"127.0.0.1:{self.line_port}",
                 "--http", f"127.0.0.1:{self.server_port}", "--access", self.access,
                 *(["--access-key-file", str(self.access_key)] if self.access == "keys" else []),
                 *self.options, "--journal", f"sqlite:{self.folder / 'journal.sqlite'}"],
                stdout=log, stderr=log)
        wait_until(self.is_ready, "the server is ready")
        return self

    def is_ready(self):
        try:
            address = f"http://127.0.0.1:{self.server_port}/readyz"
            return urllib.request.urlopen(address, timeout=5).status == 200
        except OSError:
            return False

    def kill_server(self):
        self.server.kill()
        self.server.wait()

    def join_with_mpv(self, name, *address, group="friday", port=None, link=None):
        """Somebody who watches this or what the group does with mpv, by the command line's own client."""
        place = [link] if link else ["--server", f"127.0.0.1:{port or self.line_port}", "--group", group]
        return subprocess.Popen(
            [PROGRAM, "join", *place, "--as", name, "--headless", *address],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.variables)

    @property
    def variables(self):
        return {**os.environ, "XDG_STATE_HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}

    def run(self, command, *arguments):
        """What a command prints that asks the server, or writes its links."""
        return subprocess.run(
            [PROGRAM, command, *arguments, "--server", f"127.0.0.1:{self.line_port}"],
            capture_output=True, text=True, check=True, env=self.variables).stdout

    def founding_key(self):
        """The key that opens groups, from the link that the first start prints."""
        output = self.run("invite", "--access-key-file", str(self.access_key))
        link = next(word for word in output.split() if "#" in word)
        return link.split("#")[1].split(".")[0]

    def native_link(self, group, key):
        return f"matinee://127.0.0.1:{self.line_port}/{group}#{key}"

    def log(self):
        """What all starts of the server said."""
        return (self.folder / "server.log").read_text()

    def stop(self):
        self.films.stop()
        if self.network is not None:
            self.network.stop()
        if self.server is not None:
            self.kill_server()

    def link(self, group, key=None):
        return f"http://127.0.0.1:{self.port}/{group}" + (f"#{key}" if key else "")


def serve_from_disk(route):
    """Answers for a file of the page with the one in the folder."""
    path = urllib.parse.urlsplit(route.request.url).path
    if path.startswith("/media/") or path == "/.well-known/matinee-push-key":
        return route.continue_()
    name = path[1:] if (pathlib.Path(SITE) / path[1:]).is_file() else "index.html"
    types = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
    # The frame of messages has a policy of its own.
    place = "/" if name == "index.html" else f"/{name}"
    policy = route.fetch(url=urllib.parse.urljoin(route.request.url, place)).headers["content-security-policy"]
    route.fulfill(path=pathlib.Path(SITE) / name, headers={
        "Content-Security-Policy": policy, "Content-Type": types.get(pathlib.Path(name).suffix, "text/plain")})


class Page(Visitor):
    """A person's Chromium with the page open."""

    def __init__(self, browser, serving, name, group="friday", key=None, kept=None, script=None, link=None, **options):
        self.name = name
        self.context = browser.new_context(
            ignore_https_errors=True, **{"viewport": {"width": 1280, "height": 800}, **options})
        self.context.set_default_timeout(PATIENCE * 1000)
        if SITE:
            self.context.route(f"http://127.0.0.1:{serving.port}/**", serve_from_disk)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda line: self.complaints.append(line.text)
                     if line.type == "error" and "WebSocket" not in line.text else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if script:
            self.page.add_init_script(script)
        if kept:
            # As if the person had been here before: then the page asks for nothing.
            self.page.add_init_script(
                "".join(f"localStorage.setItem({json.dumps(name)}, {json.dumps(value)});"
                        for name, value in kept.items()))
        self.page.goto(link or serving.link(group, key))

    def fill(self, selector, text):
        self.page.fill(selector, text)

    def click(self, selector):
        self.page.click(selector)

    def end_for_everybody(self):
        self.page.click("text=End for everybody")
        self.page.click("text=Press once more to end it for everybody")

    def close(self):
        self.context.close()

    def ask(self, expression, value=None):
        return self.page.evaluate(expression, value)

    def wait_for(self, is_so, what, patience=PATIENCE):
        """Waits for what the page's events bring about here, which come while it is asked."""
        wait_until(lambda: self.ask("true") and is_so(), what, patience)

    def accessibility_faults(self):
        """What axe finds against WCAG 2.2's A and AA and good practice, in words."""
        self.page.evaluate(f"{AXE.read_text()}; null")
        # This version of axe takes an open dialog for content that no landmark contains.
        found = self.page.evaluate("""axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
          rules: { region: { enabled: document.querySelector('dialog:modal') === null } } })""")
        return [f"{fault['help']}: {node['html'][:200]}"
                for fault in found["violations"] for node in fault["nodes"]]

    def shot(self, path):
        self.page.screenshot(path=str(path))


def differences(one, other):
    """How far one page is ahead of another, in ms, on the nearest samples."""
    result = []
    for time_a, position_a in one:
        time_b, position_b = min(other, key=lambda sample: abs(sample[0] - time_a))
        if abs(time_b - time_a) < 30:
            result.append((position_a - position_b) - (time_a - time_b))
    return result


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]
