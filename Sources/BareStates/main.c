/* States in plain C on plain libuv: the yardstick of `scripts/bench --only syncplay`.
 *
 * It welcomes every client as Syncplay's server does, sends it once a second the position of a room
 * that never moves, and reads its answers. It has no rooms, no names, and no JSON beyond finding two
 * numbers. As in Matinee, States are sent at multiples of 50 ms, by one uv_try_write each. A client
 * that does not read is disconnected.
 *
 *   bare-states port
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <uv.h>

enum {
  READ_BYTES = 64 * 1024,
  STATE_BYTES = 512,
  BEAT_MILLISECONDS = 50,
  BEATS = 20, /* in a second */
};

typedef struct Peer {
  uv_tcp_t tcp; /* first, so that a stream is a peer */
  struct Peer *next; /* in its beat */
  double stamp;      /* the client's own, to be sent back */
  double position;   /* where its player is, as it says */
  int is_greeted;
  int is_closing;
} Peer;

static const char welcome[] =
    "{\"Hello\":{\"username\":\"somebody\",\"room\":{\"name\":\"room\"},\"version\":\"1.2.255\","
    "\"realversion\":\"1.7.7\",\"features\":{},\"motd\":\"\"}}\r\n";

static uv_loop_t loop;
static char read_buffer[READ_BYTES + 1];
static Peer *beats[BEATS];
static unsigned next_beat;

static void check(const char *operation, int status) {
  if (status >= 0) return;
  fprintf(stderr, "%s: %s: %s\n", operation, uv_err_name(status), uv_strerror(status));
  exit(1);
}

static void on_closed(uv_handle_t *handle) { free(handle); }

/* It goes when its beat comes; before its welcome it is in none. */
static void close_peer(Peer *peer) {
  if (peer->is_closing) return;
  peer->is_closing = 1;
  if (!peer->is_greeted) uv_close((uv_handle_t *)peer, on_closed);
  else uv_read_stop((uv_stream_t *)peer);
}

static void send_to(Peer *peer, const char *line, size_t count) {
  uv_buf_t piece = uv_buf_init((char *)line, (unsigned)count);
  if (uv_try_write((uv_stream_t *)peer, &piece, 1) != (int)count) close_peer(peer);
}

static double number_behind(const char *name, const char *text, double otherwise) {
  const char *found = strstr(text, name);
  return found == NULL ? otherwise : strtod(found + strlen(name), NULL);
}

static void greet(Peer *peer) {
  peer->is_greeted = 1;
  Peer **beat = &beats[(next_beat + 1) % BEATS];
  peer->next = *beat;
  *beat = peer;
  send_to(peer, welcome, sizeof welcome - 1);
}

static void tell(Peer *peer, double now) {
  char line[STATE_BYTES];
  int count = snprintf(
      line, sizeof line,
      "{\"State\":{\"ping\":{\"latencyCalculation\":%.6f,\"clientLatencyCalculation\":%.6f,"
      "\"serverRtt\":0.0},\"playstate\":{\"position\":0.0,\"paused\":true,\"doSeek\":false,"
      "\"setBy\":null}}}\r\n",
      now, peer->stamp);
  send_to(peer, line, (size_t)count);
}

static void on_beat(uv_timer_t *timer) {
  (void)timer;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  double now = (double)time.tv_sec + (double)time.tv_nsec / 1e9;
  Peer **place = &beats[next_beat++ % BEATS];
  while (*place != NULL) {
    Peer *peer = *place;
    if (!peer->is_closing) tell(peer, now);
    if (peer->is_closing) {
      *place = peer->next;
      uv_close((uv_handle_t *)peer, on_closed);
    } else {
      place = &peer->next;
    }
  }
}

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)handle, (void)suggested;
  *buffer = uv_buf_init(read_buffer, READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  Peer *peer = (Peer *)stream;
  if (count < 0) return close_peer(peer);
  if (count == 0) return;
  buffer->base[count] = '\0';
  if (!peer->is_greeted) return greet(peer);
  peer->position = number_behind("\"position\":", buffer->base, peer->position);
  peer->stamp = number_behind("\"clientLatencyCalculation\":", buffer->base, peer->stamp);
}

static void on_connection(uv_stream_t *server, int status) {
  if (status < 0) return;
  Peer *peer = calloc(1, sizeof *peer);
  if (peer == NULL) return;
  uv_tcp_init(&loop, &peer->tcp);
  if (uv_accept(server, (uv_stream_t *)peer) < 0 || uv_tcp_nodelay(&peer->tcp, 1) < 0 ||
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
  if (argc != 2) {
    fputs("bare-states: give it a port\n", stderr);
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  check("loop_init", uv_loop_init(&loop));

  struct sockaddr_in address;
  check("address", uv_ip4_addr("127.0.0.1", atoi(argv[1]), &address));
  uv_tcp_t server;
  uv_tcp_init(&loop, &server);
  check("bind", uv_tcp_bind(&server, (const struct sockaddr *)&address, 0));
  check("listen", uv_listen((uv_stream_t *)&server, 1024, on_connection));
  uv_timer_t timer;
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_beat, BEAT_MILLISECONDS, BEAT_MILLISECONDS);
  return uv_run(&loop, UV_RUN_DEFAULT);
}
