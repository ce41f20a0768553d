"""A push service of the tests' own: it takes what the server pushes and decrypts it as a browser would."""

import base64
import http.server
import json
import os
import queue
import threading

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService:
    """Its pushes come out of `take`, in the order in which they came in."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.pushes = queue.Queue()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                service.pushes.put(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def public(self):
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self):
        """As `PushSubscription.toJSON()` has it."""
        return {"endpoint": f"http://127.0.0.1:{self.server.server_port}/s/1",
                "keys": {"p256dh": base64url(self.public), "auth": base64url(self.secret)}}

    def take(self, patience=20):
        return json.loads(self.decrypted(self.pushes.get(timeout=patience)))

    def decrypted(self, body):
        """Undoes `aes128gcm` (RFC 8291, RFC 8188)."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21:21 + length], body[21 + length:]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        derive = lambda size, salt, info, key: HKDF(SHA256(), size, salt, info).derive(key)
        key = derive(32, self.secret, b"WebPush: info\0" + self.public + sender, shared)
        content = derive(16, salt, b"Content-Encoding: aes128gcm\0", key)
        nonce = derive(12, salt, b"Content-Encoding: nonce\0", key)
        return AESGCM(content).decrypt(nonce, sealed, None).rstrip(b"\0")[:-1]

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
