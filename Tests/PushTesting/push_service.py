"""A push service for tests: HTTP/1.1 and HTTP/2 on a free port of loopback.

It decides nothing. It writes a line of JSON to its output for each connection and each request, and
reads from its input, a line each, how to answer which request. The first line says what to speak.
It ends with its input.
"""

import asyncio
import json
import socket
import ssl
import sys
import tempfile

import h2.config
import h2.connection
import h2.events
import h2.exceptions


class Service:
    def __init__(self, setup):
        self.setup = setup
        self.waiting = {}
        self.connections = 0

    def tell(self, what):
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()

    async def reply(self, push):
        """Tells of a request, and waits for what to do with it."""
        number = len(self.waiting)
        answer = asyncio.get_running_loop().create_future()
        self.waiting[number] = answer
        self.tell({"request": push, "number": number})
        return await answer

    def security(self):
        if "key" not in self.setup:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(self.setup["certificate"] + self.setup["key"])
            file.flush()
            context.load_cert_chain(file.name)
        context.set_alpn_protocols(self.setup["protocols"])
        return context

    async def accept(self, listener, security):
        loop = asyncio.get_running_loop()
        while True:
            peer, _ = await loop.sock_accept(listener)
            number = self.connections
            self.connections += 1
            self.tell({"connection": number})
            asyncio.create_task(self.serve(peer, security, number))

    async def serve(self, peer, security, number):
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, peer, ssl=security)
            writer = asyncio.StreamWriter(transport, protocol, reader, loop)
            chosen = writer.get_extra_info("ssl_object")
            try:
                if self.setup["isMute"]:
                    await reader.read()
                elif chosen and chosen.selected_alpn_protocol() == "h2":
                    await self.speak_http2(reader, writer, number)
                else:
                    await self.speak_http1(reader, writer, number)
            finally:
                writer.close()
        except (OSError, EOFError):
            pass  # A client that disconnects, or that does not trust this service.
        finally:
            self.tell({"closed": number})

    async def speak_http1(self, reader, writer, number):
        while True:
            lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = lines[0].split(" ")
            fields = {}
            for line in lines[1:-2]:
                name, value = line.split(":", 1)
                fields[name.strip().lower()] = value.strip()
            body = await reader.readexactly(int(fields.get("content-length", "0")))
            reply = await self.reply({
                "method": method, "path": path, "fields": fields, "body": list(body),
                "isHTTP2": False, "connection": number})
            if reply["kind"] == "silence":
                await reader.read()
                return
            if reply["kind"] == "hangUp":
                return
            text = reply["body"].encode()
            length = 100 if reply["kind"] == "halfAnAnswer" else len(text)
            head = [f"HTTP/1.1 {reply['status']} Status"]
            head += [f"{name}: {value}" for name, value in reply["fields"].items()]
            head += [f"content-length: {length}", "", ""]
            writer.write("\r\n".join(head).encode() + text)
            await writer.drain()
            if reply["kind"] == "halfAnAnswer":
                return

    async def speak_http2(self, reader, writer, number):
        link = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        link.initiate_connection()
        writer.write(link.data_to_send())
        pushes = {}
        while data := await reader.read(65_536):
            for event in link.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    fields = dict(event.headers)
                    pushes[event.stream_id] = {
                        "method": fields.pop(":method"), "path": fields.pop(":path"),
                        "fields": fields, "body": [], "isHTTP2": True, "connection": number}
                elif isinstance(event, h2.events.DataReceived):
                    pushes[event.stream_id]["body"] += list(event.data)
                    link.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    push = pushes.pop(event.stream_id)
                    asyncio.create_task(self.answer(link, writer, event.stream_id, push))
            writer.write(link.data_to_send())
            await writer.drain()

    async def answer(self, link, writer, stream, push):
        reply = await self.reply(push)
        if reply["kind"] == "silence" or writer.is_closing():
            return
        if reply["kind"] == "hangUp":
            writer.close()
            return
        try:
            link.send_headers(
                stream, [(":status", str(reply["status"])), *reply["fields"].items()])
            if reply["kind"] == "halfAnAnswer":
                link.reset_stream(stream)
            else:
                link.send_data(stream, reply["body"].encode(), end_stream=True)
        except h2.exceptions.ProtocolError:
            return  # The client has given up.
        writer.write(link.data_to_send())

    async def run(self, reader):
        listener = socket.create_server((self.setup["host"], self.setup["port"]), backlog=128)
        listener.setblocking(False)
        accepting = asyncio.create_task(self.accept(listener, self.security()))
        self.tell({"port": listener.getsockname()[1]})
        while line := await reader.readline():
            reply = json.loads(line)
            if reply["kind"] == "listenNoMore":
                accepting.cancel()
                listener.close()
                self.tell({"listensNoMore": True})
            else:
                self.waiting[reply["number"]].set_result(reply)


async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await Service(json.loads(await reader.readline())).run(reader)


asyncio.run(main())
