"""A network between pages and a server that takes its time: a proxy that delays what it passes on."""

import asyncio
import contextlib
import random
import threading


class Network:
    """Passes connections on to a port, with a delay in each direction, in milliseconds ± 10."""

    def __init__(self, port, server_port, delay):
        self.port, self.server_port, self.delay = port, server_port, delay / 1000
        # Whether nothing is passed on, and how many bytes a second are, if not all.
        self.is_held, self.pace = False, None
        self.loop = asyncio.new_event_loop()
        listening = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(port, listening), daemon=True)
        self.thread.start()
        listening.wait(10)

    def run(self, port, listening):
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(
            asyncio.start_server(self.serve, "127.0.0.1", port))
        listening.set()
        self.loop.run_forever()
        self.server.close()
        rest = asyncio.all_tasks(self.loop)
        for task in rest:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        self.loop.close()

    async def serve(self, reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_connection(
                "127.0.0.1", self.server_port)
        except OSError:
            return writer.close()
        # Cancelled when the network is stopped.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(
                self.carry(reader, server_writer), self.carry(server_reader, writer),
                return_exceptions=True)

    async def carry(self, reader, writer):
        """Passes bytes on in their order, each piece after a delay of its own."""
        queue = asyncio.Queue()
        delivery = asyncio.ensure_future(self.deliver(queue, writer))
        try:
            # A browser that seeks drops the rest.
            while not writer.is_closing() and (piece := await reader.read(65536)):
                jitter = random.uniform(-0.010, 0.010)
                queue.put_nowait((self.loop.time() + self.delay + jitter, piece))
        finally:
            queue.put_nowait(None)
            await delivery

    async def deliver(self, queue, writer):
        while (entry := await queue.get()) is not None:
            due, piece = entry
            await asyncio.sleep(max(0, due - self.loop.time()))
            while self.is_held:
                await asyncio.sleep(0.01)
            if writer.is_closing():
                return
            writer.write(piece)
            if self.pace:
                await asyncio.sleep(len(piece) / self.pace)
        writer.close()

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
