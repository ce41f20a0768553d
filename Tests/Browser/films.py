"""Serves a folder's films over https with byte ranges, as browsers need them to seek."""

import http.server
import pathlib
import re
import ssl
import subprocess
import threading
import urllib.parse


class Films:
    """A server for the films of a folder, on a port of its own; its certificate is its own."""

    def __init__(self, folder):
        certificate, key = folder / "films.pem", folder / "films.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", str(key),
             "-out", str(certificate)], check=True, capture_output=True)
        handler = type("Handler", (RangeHandler,), {"folder": folder})
        self.server = Server(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        # The handshake is done in the connection's thread, at its first read.
        self.server.socket = context.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False)
        # A stop waits for the next look at whether to stop, in seconds.
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def address(self, name):
        return f"https://127.0.0.1:{self.server.server_port}/{name}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Server(http.server.ThreadingHTTPServer):
    """One that is silent about a browser's first handshake, which refuses the certificate."""

    def handle_error(self, request, client_address):
        pass


class RangeHandler(http.server.BaseHTTPRequestHandler):
    """Answers GET with one range (RFC 9110, 14)."""

    protocol_version = "HTTP/1.1"
    folder = pathlib.Path()

    def do_GET(self):
        path = self.folder / pathlib.Path(urllib.parse.unquote(self.path)).name
        if not path.is_file():
            return self.send_error(404)
        size = path.stat().st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        last = min(int(asked[2]), size - 1) if asked and asked[2] else size - 1
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", "video/webm")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last - first + 1))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        try:
            with open(path, "rb") as film:
                film.seek(first)
                rest = last - first + 1
                while rest > 0 and (piece := film.read(min(rest, 65536))):
                    self.wfile.write(piece)
                    rest -= len(piece)
        except OSError:
            # A browser that seeks drops the rest.
            self.close_connection = True

    def log_message(self, *_):
        pass
