"""Firefox and WebKit, driven by the commands of WebDriver (w3.org/TR/webdriver2).

Debian has no geckodriver, so Firefox is driven by its own protocol, Marionette, which has the same commands.
"""

import json
import os
import socket
import subprocess
import urllib.error
import urllib.request

from evening import free_port
from visitor import Visitor, wait_until

FIREFOX = os.environ.get("FIREFOX", "/usr/bin/firefox-esr")
WEBKIT = os.environ.get("WEBKIT", "/usr/bin/WebKitWebDriver")
#: The name of an element's reference in WebDriver.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
#: The film's server has a certificate of its own.
WISHES = {"acceptInsecureCerts": True}
#: How long a browser may take for what it is told, and for its start, in seconds.
PATIENCE = 60


class Refused(Exception):
    """The browser could not do what it was told."""


def run(closing, *command, **options):
    """Runs a program until `closing` closes, a `contextlib.ExitStack`."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    closing.callback(process.wait)
    closing.callback(process.terminate)
    return process


def screen(closing):
    """The name of a screen that nobody sees, for a browser that needs one."""
    reading, writing = os.pipe()
    run(closing, "Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp",
        pass_fds=[writing])
    os.close(writing)
    with os.fdopen(reading) as number:
        return f":{number.readline().strip()}"


class Firefox:
    """Firefox without a screen: each command is a line of JSON behind its length."""

    def __init__(self, folder, closing):
        port = free_port()
        # It asks nobody for updates or settings.
        self.write(folder, {
            "marionette.port": port, "app.update.enabled": False, "services.settings.server": "data:,"})
        run(closing, FIREFOX, "--headless", "--no-remote", "--profile", str(folder), "--marionette",
            env={**os.environ, "HOME": str(folder)})
        self.line = closing.enter_context(
            wait_until(lambda: self.connect(port), "Firefox listens", PATIENCE))
        self.answers = closing.enter_context(self.line.makefile("rb"))
        self.read()
        self.commands = 0
        self.do("NewSession", **WISHES)

    @staticmethod
    def write(folder, preferences):
        (folder / "user.js").write_text("\n".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()))

    @staticmethod
    def connect(port):
        try:
            return socket.create_connection(("127.0.0.1", port), PATIENCE)
        except OSError:
            return None

    def read(self):
        length = b""
        while (digit := self.answers.read(1)) not in (b":", b""):
            length += digit
        return json.loads(self.answers.read(int(length)))

    def do(self, command, **fields):
        self.commands += 1
        line = json.dumps([0, self.commands, f"WebDriver:{command}", fields]).encode()
        self.line.sendall(b"%d:%s" % (len(line), line))
        _, _, error, answer = self.read()
        if error is not None:
            raise Refused(f"{command}: {error['message']}")
        return answer.get("value")


class WebKit:
    """WebKit's small browser, which needs a screen: its driver takes each command by HTTP."""

    #: The paths of the commands that are used here.
    PATHS = {"Navigate": "url", "Refresh": "refresh", "ExecuteScript": "execute/sync", "FindElement": "element",
             "ElementClick": "element/{id}/click", "ElementSendKeys": "element/{id}/value"}

    def __init__(self, folder, closing):
        self.port = free_port()
        run(closing, WEBKIT, f"--port={self.port}",
            env={**os.environ, "HOME": str(folder), "DISPLAY": screen(closing), "GDK_BACKEND": "x11"})
        wait_until(self.listens, "WebKit's driver listens", PATIENCE)
        self.session = "/session"
        made = self.ask("POST", "", {"capabilities": {"alwaysMatch": WISHES}})
        self.session = f"/session/{made['sessionId']}"
        closing.callback(self.ask, "DELETE", "")

    def listens(self):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/status", timeout=PATIENCE).close()
            return True
        except OSError:
            return False

    def ask(self, method, path, fields=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.session}{path}", method=method,
            data=None if fields is None else json.dumps(fields).encode())
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Refused(f"{path}: {json.load(error)['value']['message']}") from None

    def do(self, command, **fields):
        return self.ask("POST", "/" + self.PATHS[command].format(**fields), fields)


class Guest(Visitor):
    """A person with the page open in one of these browsers."""

    def __init__(self, browser, name, link, closing):
        self.browser, self.name, self.closing = browser, name, closing
        self.go("Navigate", url=link)

    def go(self, command, **fields):
        """Opens the page, and notes what it complains of from then on."""
        self.browser.do(command, **fields)
        self.ask("""() => {
          window.complaints = [];
          addEventListener('error', ({ message }) => complaints.push(message));
          addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
          window.console.error = (...words) => complaints.push(words.join(' '));
        }""")

    def reload(self):
        self.go("Refresh")

    @property
    def complaints(self):
        try:
            return self.ask("complaints")
        except (OSError, ValueError, Refused) as error:
            return [f"{self.name}'s browser no longer answers: {error}"]

    def ask(self, expression, value=None):
        script = f"const asked = {expression}; return typeof asked === 'function' ? asked(arguments[0]) : asked;"
        return self.browser.do("ExecuteScript", script=script, args=[value])

    def find(self, selector):
        wait_until(lambda: self.ask("(selector) => document.querySelector(selector) !== null", selector),
                   f"{self.name} sees {selector}")
        return self.browser.do("FindElement", using="css selector", value=selector)[ELEMENT]

    def fill(self, selector, text):
        self.browser.do("ElementSendKeys", id=self.find(selector), text=text)

    def click(self, selector):
        self.browser.do("ElementClick", id=self.find(selector))

    def close(self):
        self.closing.close()
