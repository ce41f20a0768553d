// The page's files as bytes of the program (C23, 6.10.3): a Swift array literal of the same size takes
// the compiler half a minute.
#include "site.h"

static const unsigned char actions_js[] = {
#embed "../WebClient/Site/actions.js"
};
static const unsigned char chat_view_js[] = {
#embed "../WebClient/Site/chat-view.js"
};
static const unsigned char client_js[] = {
#embed "../WebClient/Site/client.js"
};
static const unsigned char clock_js[] = {
#embed "../WebClient/Site/clock.js"
};
static const unsigned char connection_js[] = {
#embed "../WebClient/Site/connection.js"
};
static const unsigned char dom_js[] = {
#embed "../WebClient/Site/dom.js"
};
static const unsigned char drift_js[] = {
#embed "../WebClient/Site/drift.js"
};
static const unsigned char element_player_js[] = {
#embed "../WebClient/Site/element-player.js"
};
static const unsigned char follower_state_js[] = {
#embed "../WebClient/Site/follower-state.js"
};
static const unsigned char follower_js[] = {
#embed "../WebClient/Site/follower.js"
};
static const unsigned char icon_svg[] = {
#embed "../WebClient/Site/icon.svg"
};
static const unsigned char identity_js[] = {
#embed "../WebClient/Site/identity.js"
};
static const unsigned char index_html[] = {
#embed "../WebClient/Site/index.html"
};
static const unsigned char learning_js[] = {
#embed "../WebClient/Site/learning.js"
};
static const unsigned char matinee_js[] = {
#embed "../WebClient/Site/matinee.js"
};
static const unsigned char message_view_js[] = {
#embed "../WebClient/Site/message-view.js"
};
static const unsigned char messages_js[] = {
#embed "../WebClient/Site/messages.js"
};
static const unsigned char mirror_js[] = {
#embed "../WebClient/Site/mirror.js"
};
static const unsigned char page_css[] = {
#embed "../WebClient/Site/page.css"
};
static const unsigned char page_js[] = {
#embed "../WebClient/Site/page.js"
};
static const unsigned char people_view_js[] = {
#embed "../WebClient/Site/people-view.js"
};
static const unsigned char player_side_js[] = {
#embed "../WebClient/Site/player-side.js"
};
static const unsigned char player_view_js[] = {
#embed "../WebClient/Site/player-view.js"
};
static const unsigned char queue_view_js[] = {
#embed "../WebClient/Site/queue-view.js"
};
static const unsigned char queue_js[] = {
#embed "../WebClient/Site/queue.js"
};
static const unsigned char requests_js[] = {
#embed "../WebClient/Site/requests.js"
};
static const unsigned char settings_view_js[] = {
#embed "../WebClient/Site/settings-view.js"
};
static const unsigned char skew_js[] = {
#embed "../WebClient/Site/skew.js"
};
static const unsigned char steering_js[] = {
#embed "../WebClient/Site/steering.js"
};
static const unsigned char texts_js[] = {
#embed "../WebClient/Site/texts.js"
};
static const unsigned char ticker_js[] = {
#embed "../WebClient/Site/ticker.js"
};
static const unsigned char timeline_js[] = {
#embed "../WebClient/Site/timeline.js"
};
static const unsigned char welcome_view_js[] = {
#embed "../WebClient/Site/welcome-view.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct site_file files[] = {
  FILE("actions.js", actions_js),
  FILE("chat-view.js", chat_view_js),
  FILE("client.js", client_js),
  FILE("clock.js", clock_js),
  FILE("connection.js", connection_js),
  FILE("dom.js", dom_js),
  FILE("drift.js", drift_js),
  FILE("element-player.js", element_player_js),
  FILE("follower-state.js", follower_state_js),
  FILE("follower.js", follower_js),
  FILE("icon.svg", icon_svg),
  FILE("identity.js", identity_js),
  FILE("index.html", index_html),
  FILE("learning.js", learning_js),
  FILE("matinee.js", matinee_js),
  FILE("message-view.js", message_view_js),
  FILE("messages.js", messages_js),
  FILE("mirror.js", mirror_js),
  FILE("page.css", page_css),
  FILE("page.js", page_js),
  FILE("people-view.js", people_view_js),
  FILE("player-side.js", player_side_js),
  FILE("player-view.js", player_view_js),
  FILE("queue-view.js", queue_view_js),
  FILE("queue.js", queue_js),
  FILE("requests.js", requests_js),
  FILE("settings-view.js", settings_view_js),
  FILE("skew.js", skew_js),
  FILE("steering.js", steering_js),
  FILE("texts.js", texts_js),
  FILE("ticker.js", ticker_js),
  FILE("timeline.js", timeline_js),
  FILE("welcome-view.js", welcome_view_js),
};

const struct site_file *site_file(size_t index) {
  return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
