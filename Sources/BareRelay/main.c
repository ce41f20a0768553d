/* A relay in plain C on plain libuv, the yardstick of the benchmarks: every line a peer sends goes
 * to all peers, itself included, with one uv_try_write a peer and message, and uv_write for what
 * the kernel did not take. No protocol, no limits on lines beyond a fixed buffer, no coalescing.
 *
 *   bare-relay [port]      port 0, the default, lets the system choose; it is printed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <uv.h>

enum {
  READ_BYTES = 64 * 1024,
  LINE_BYTES = 64 * 1024,
  SEND_BUFFER_BYTES = 64 * 1024,
  BACKLOG_BYTES = 1024 * 1024,
};

typedef struct {
  uv_tcp_t tcp; /* first, so that a stream is a peer */
  size_t place; /* in the table of peers */
  char *tail;   /* an incomplete line, or NULL */
  size_t tail_bytes;
  int is_closing;
} Peer;

typedef struct {
  uv_write_t request; /* first, so that a request is a rest */
  char bytes[];
} Rest;

static uv_loop_t loop;
static char read_buffer[READ_BYTES];
static Peer **peers;
static size_t peer_count, peer_room;

static void *checked(void *memory) {
  if (memory == NULL) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

static void check(const char *operation, int status) {
  if (status >= 0) return;
  fprintf(stderr, "%s: %s: %s\n", operation, uv_err_name(status), uv_strerror(status));
  exit(1);
}

static void on_closed(uv_handle_t *handle) {
  Peer *peer = (Peer *)handle;
  free(peer->tail);
  free(peer);
}

static void close_peer(Peer *peer) {
  if (peer->is_closing) return;
  peer->is_closing = 1;
  Peer *last = peers[--peer_count];
  peers[peer->place] = last;
  last->place = peer->place;
  uv_close((uv_handle_t *)peer, on_closed);
}

static void on_rest_written(uv_write_t *request, int status) {
  Peer *peer = (Peer *)request->handle;
  free(request);
  if (status < 0) close_peer(peer);
}

static void send_to(Peer *peer, const char *bytes, size_t count) {
  uv_stream_t *stream = (uv_stream_t *)peer;
  uv_buf_t piece = uv_buf_init((char *)bytes, (unsigned)count);
  int written = uv_try_write(stream, &piece, 1);
  if (written == (int)count) return;
  if (written == UV_EAGAIN) written = 0;
  if (written < 0 || uv_stream_get_write_queue_size(stream) > BACKLOG_BYTES) {
    close_peer(peer);
    return;
  }
  size_t left = count - (size_t)written;
  Rest *rest = checked(malloc(sizeof *rest + left));
  memcpy(rest->bytes, bytes + written, left);
  piece = uv_buf_init(rest->bytes, (unsigned)left);
  if (uv_write(&rest->request, stream, &piece, 1, on_rest_written) < 0) {
    free(rest);
    close_peer(peer);
  }
}

/* Backwards, since a peer that is closed gives its place to the last one. */
static void relay(const char *line, size_t count) {
  for (size_t place = peer_count; place-- > 0;) send_to(peers[place], line, count);
}

static void keep_tail(Peer *peer, const char *bytes, size_t count) {
  if (peer->tail_bytes + count > LINE_BYTES) {
    close_peer(peer);
    return;
  }
  peer->tail = checked(realloc(peer->tail, peer->tail_bytes + count));
  memcpy(peer->tail + peer->tail_bytes, bytes, count);
  peer->tail_bytes += count;
}

static void take(Peer *peer, const char *bytes, size_t count) {
  const char *end;
  while (!peer->is_closing && (end = memchr(bytes, '\n', count)) != NULL) {
    size_t line_bytes = (size_t)(end - bytes) + 1;
    if (peer->tail == NULL) {
      relay(bytes, line_bytes);
    } else {
      keep_tail(peer, bytes, line_bytes);
      if (peer->is_closing) return;
      char *line = peer->tail;
      size_t whole_bytes = peer->tail_bytes;
      peer->tail = NULL;
      peer->tail_bytes = 0;
      relay(line, whole_bytes);
      free(line);
    }
    bytes += line_bytes;
    count -= line_bytes;
  }
  if (count > 0 && !peer->is_closing) keep_tail(peer, bytes, count);
}

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)handle, (void)suggested;
  *buffer = uv_buf_init(read_buffer, READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  Peer *peer = (Peer *)stream;
  if (count < 0) {
    close_peer(peer);
  } else {
    take(peer, buffer->base, (size_t)count);
  }
}

static void on_connection(uv_stream_t *server, int status) {
  if (status < 0) return;
  Peer *peer = checked(calloc(1, sizeof *peer));
  uv_tcp_init(&loop, &peer->tcp);
  if (peer_count == peer_room) {
    peer_room = peer_room ? peer_room * 2 : 64;
    peers = checked(realloc(peers, peer_room * sizeof *peers));
  }
  peer->place = peer_count;
  peers[peer_count++] = peer;
  int send_buffer_bytes = SEND_BUFFER_BYTES;
  if (uv_accept(server, (uv_stream_t *)peer) < 0 || uv_tcp_nodelay(&peer->tcp, 1) < 0 ||
      uv_send_buffer_size((uv_handle_t *)peer, &send_buffer_bytes) < 0 ||
      uv_read_start((uv_stream_t *)peer, on_allocate, on_read) < 0) {
    close_peer(peer);
  }
}

static void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  check("loop_init", uv_loop_init(&loop));

  struct sockaddr_in address;
  check("address", uv_ip4_addr("127.0.0.1", argc > 1 ? atoi(argv[1]) : 0, &address));
  uv_tcp_t server;
  uv_tcp_init(&loop, &server);
  check("bind", uv_tcp_bind(&server, (const struct sockaddr *)&address, 0));
  check("listen", uv_listen((uv_stream_t *)&server, 1024, on_connection));
  int size = sizeof address;
  check("getsockname", uv_tcp_getsockname(&server, (struct sockaddr *)&address, &size));
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return uv_run(&loop, UV_RUN_DEFAULT);
}
