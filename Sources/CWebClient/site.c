// The page's files as bytes of the program (C23, 6.10.3): a Swift array literal of the same size takes
// the compiler half a minute.
#include "site.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char actions_js[] = {
#embed "../WebClient/Site/actions.js"
};
static const unsigned char activity_js[] = {
#embed "../WebClient/Site/activity.js"
};
static const unsigned char apple_touch_icon_png[] = {
#embed "../WebClient/Site/apple-touch-icon.png"
};
static const unsigned char arrows_js[] = {
#embed "../WebClient/Site/arrows.js"
};
static const unsigned char attachments_js[] = {
#embed "../WebClient/Site/attachments.js"
};
static const unsigned char captions_js[] = {
#embed "../WebClient/Site/captions.js"
};
static const unsigned char chat_notices_js[] = {
#embed "../WebClient/Site/chat-notices.js"
};
static const unsigned char chat_view_js[] = {
#embed "../WebClient/Site/chat-view.js"
};
static const unsigned char client_events_js[] = {
#embed "../WebClient/Site/client-events.js"
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
static const unsigned char countdown_js[] = {
#embed "../WebClient/Site/countdown.js"
};
static const unsigned char credential_js[] = {
#embed "../WebClient/Site/credential.js"
};
static const unsigned char deeds_js[] = {
#embed "../WebClient/Site/deeds.js"
};
static const unsigned char dismissal_js[] = {
#embed "../WebClient/Site/dismissal.js"
};
static const unsigned char dom_js[] = {
#embed "../WebClient/Site/dom.js"
};
static const unsigned char dragging_js[] = {
#embed "../WebClient/Site/dragging.js"
};
static const unsigned char drift_js[] = {
#embed "../WebClient/Site/drift.js"
};
static const unsigned char element_player_js[] = {
#embed "../WebClient/Site/element-player.js"
};
static const unsigned char faults_js[] = {
#embed "../WebClient/Site/faults.js"
};
static const unsigned char file_card_js[] = {
#embed "../WebClient/Site/file-card.js"
};
static const unsigned char follower_state_js[] = {
#embed "../WebClient/Site/follower-state.js"
};
static const unsigned char follower_js[] = {
#embed "../WebClient/Site/follower.js"
};
static const unsigned char group_page_js[] = {
#embed "../WebClient/Site/group-page.js"
};
static const unsigned char icon_192_png[] = {
#embed "../WebClient/Site/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../WebClient/Site/icon-512.png"
};
static const unsigned char icon_maskable_png[] = {
#embed "../WebClient/Site/icon-maskable.png"
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
static const unsigned char intents_js[] = {
#embed "../WebClient/Site/intents.js"
};
static const unsigned char landing_js[] = {
#embed "../WebClient/Site/landing.js"
};
static const unsigned char learning_js[] = {
#embed "../WebClient/Site/learning.js"
};
static const unsigned char link_view_js[] = {
#embed "../WebClient/Site/link-view.js"
};
static const unsigned char links_js[] = {
#embed "../WebClient/Site/links.js"
};
static const unsigned char lobby_js[] = {
#embed "../WebClient/Site/lobby.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "../WebClient/Site/manifest.webmanifest"
};
static const unsigned char matinee_js[] = {
#embed "../WebClient/Site/matinee.js"
};
static const unsigned char media_keys_js[] = {
#embed "../WebClient/Site/media-keys.js"
};
static const unsigned char media_list_js[] = {
#embed "../WebClient/Site/media-list.js"
};
static const unsigned char media_js[] = {
#embed "../WebClient/Site/media.js"
};
static const unsigned char membership_js[] = {
#embed "../WebClient/Site/membership.js"
};
static const unsigned char menu_js[] = {
#embed "../WebClient/Site/menu.js"
};
static const unsigned char message_backlog_js[] = {
#embed "../WebClient/Site/message-backlog.js"
};
static const unsigned char message_bridge_js[] = {
#embed "../WebClient/Site/message-bridge.js"
};
static const unsigned char message_choices_js[] = {
#embed "../WebClient/Site/message-choices.js"
};
static const unsigned char message_clicks_js[] = {
#embed "../WebClient/Site/message-clicks.js"
};
static const unsigned char message_content_js[] = {
#embed "../WebClient/Site/message-content.js"
};
static const unsigned char message_element_js[] = {
#embed "../WebClient/Site/message-element.js"
};
static const unsigned char message_faults_js[] = {
#embed "../WebClient/Site/message-faults.js"
};
static const unsigned char message_frame_html[] = {
#embed "../WebClient/Site/message-frame.html"
};
static const unsigned char message_host_js[] = {
#embed "../WebClient/Site/message-host.js"
};
static const unsigned char message_model_js[] = {
#embed "../WebClient/Site/message-model.js"
};
static const unsigned char message_offer_js[] = {
#embed "../WebClient/Site/message-offer.js"
};
static const unsigned char message_page_js[] = {
#embed "../WebClient/Site/message-page.js"
};
static const unsigned char message_presenter_js[] = {
#embed "../WebClient/Site/message-presenter.js"
};
static const unsigned char message_screen_js[] = {
#embed "../WebClient/Site/message-screen.js"
};
static const unsigned char message_swipe_js[] = {
#embed "../WebClient/Site/message-swipe.js"
};
static const unsigned char message_theme_js[] = {
#embed "../WebClient/Site/message-theme.js"
};
static const unsigned char message_video_js[] = {
#embed "../WebClient/Site/message-video.js"
};
static const unsigned char message_waiting_js[] = {
#embed "../WebClient/Site/message-waiting.js"
};
static const unsigned char messages_css[] = {
#embed "../WebClient/Site/messages.css"
};
static const unsigned char messages_js[] = {
#embed "../WebClient/Site/messages.js"
};
static const unsigned char mirror_js[] = {
#embed "../WebClient/Site/mirror.js"
};
static const unsigned char notices_js[] = {
#embed "../WebClient/Site/notices.js"
};
static const unsigned char own_file_js[] = {
#embed "../WebClient/Site/own-file.js"
};
static const unsigned char own_suspensions_js[] = {
#embed "../WebClient/Site/own-suspensions.js"
};
static const unsigned char page_css[] = {
#embed "../WebClient/Site/page.css"
};
static const unsigned char page_js[] = {
#embed "../WebClient/Site/page.js"
};
static const unsigned char pairing_js[] = {
#embed "../WebClient/Site/pairing.js"
};
static const unsigned char participation_js[] = {
#embed "../WebClient/Site/participation.js"
};
static const unsigned char people_view_js[] = {
#embed "../WebClient/Site/people-view.js"
};
static const unsigned char picture_window_js[] = {
#embed "../WebClient/Site/picture-window.js"
};
static const unsigned char platform_js[] = {
#embed "../WebClient/Site/platform.js"
};
static const unsigned char player_side_js[] = {
#embed "../WebClient/Site/player-side.js"
};
static const unsigned char player_view_js[] = {
#embed "../WebClient/Site/player-view.js"
};
static const unsigned char presentation_js[] = {
#embed "../WebClient/Site/presentation.js"
};
static const unsigned char push_js[] = {
#embed "../WebClient/Site/push.js"
};
static const unsigned char qr_code_js[] = {
#embed "../WebClient/Site/qr-code.js"
};
static const unsigned char queue_moves_js[] = {
#embed "../WebClient/Site/queue-moves.js"
};
static const unsigned char queue_view_js[] = {
#embed "../WebClient/Site/queue-view.js"
};
static const unsigned char queue_js[] = {
#embed "../WebClient/Site/queue.js"
};
static const unsigned char reactions_js[] = {
#embed "../WebClient/Site/reactions.js"
};
static const unsigned char ready_start_js[] = {
#embed "../WebClient/Site/ready-start.js"
};
static const unsigned char reed_solomon_js[] = {
#embed "../WebClient/Site/reed-solomon.js"
};
static const unsigned char requests_js[] = {
#embed "../WebClient/Site/requests.js"
};
static const unsigned char screen_use_js[] = {
#embed "../WebClient/Site/screen-use.js"
};
static const unsigned char screens_css[] = {
#embed "../WebClient/Site/screens.css"
};
static const unsigned char service_worker_js[] = {
#embed "../WebClient/Site/service-worker.js"
};
static const unsigned char settings_view_js[] = {
#embed "../WebClient/Site/settings-view.js"
};
static const unsigned char shown_controls_js[] = {
#embed "../WebClient/Site/shown-controls.js"
};
static const unsigned char skew_js[] = {
#embed "../WebClient/Site/skew.js"
};
static const unsigned char speed_js[] = {
#embed "../WebClient/Site/speed.js"
};
static const unsigned char stall_watch_js[] = {
#embed "../WebClient/Site/stall-watch.js"
};
static const unsigned char start_view_js[] = {
#embed "../WebClient/Site/start-view.js"
};
static const unsigned char steering_js[] = {
#embed "../WebClient/Site/steering.js"
};
static const unsigned char surroundings_js[] = {
#embed "../WebClient/Site/surroundings.js"
};
static const unsigned char sync_mark_js[] = {
#embed "../WebClient/Site/sync-mark.js"
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
static const unsigned char tray_view_js[] = {
#embed "../WebClient/Site/tray-view.js"
};
static const unsigned char tray_js[] = {
#embed "../WebClient/Site/tray.js"
};
static const unsigned char view_registry_js[] = {
#embed "../WebClient/Site/view-registry.js"
};
static const unsigned char volume_js[] = {
#embed "../WebClient/Site/volume.js"
};
static const unsigned char waiting_policy_js[] = {
#embed "../WebClient/Site/waiting-policy.js"
};
static const unsigned char ways_out_js[] = {
#embed "../WebClient/Site/ways-out.js"
};
static const unsigned char welcome_view_js[] = {
#embed "../WebClient/Site/welcome-view.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct site_file files[] = {
  FILE("actions.js", actions_js),
  FILE("activity.js", activity_js),
  FILE("apple-touch-icon.png", apple_touch_icon_png),
  FILE("arrows.js", arrows_js),
  FILE("attachments.js", attachments_js),
  FILE("captions.js", captions_js),
  FILE("chat-notices.js", chat_notices_js),
  FILE("chat-view.js", chat_view_js),
  FILE("client-events.js", client_events_js),
  FILE("client.js", client_js),
  FILE("clock.js", clock_js),
  FILE("connection.js", connection_js),
  FILE("countdown.js", countdown_js),
  FILE("credential.js", credential_js),
  FILE("deeds.js", deeds_js),
  FILE("dismissal.js", dismissal_js),
  FILE("dom.js", dom_js),
  FILE("dragging.js", dragging_js),
  FILE("drift.js", drift_js),
  FILE("element-player.js", element_player_js),
  FILE("faults.js", faults_js),
  FILE("file-card.js", file_card_js),
  FILE("follower-state.js", follower_state_js),
  FILE("follower.js", follower_js),
  FILE("group-page.js", group_page_js),
  FILE("icon-192.png", icon_192_png),
  FILE("icon-512.png", icon_512_png),
  FILE("icon-maskable.png", icon_maskable_png),
  FILE("icon.svg", icon_svg),
  FILE("identity.js", identity_js),
  FILE("index.html", index_html),
  FILE("intents.js", intents_js),
  FILE("landing.js", landing_js),
  FILE("learning.js", learning_js),
  FILE("link-view.js", link_view_js),
  FILE("links.js", links_js),
  FILE("lobby.js", lobby_js),
  FILE("manifest.webmanifest", manifest_webmanifest),
  FILE("matinee.js", matinee_js),
  FILE("media-keys.js", media_keys_js),
  FILE("media-list.js", media_list_js),
  FILE("media.js", media_js),
  FILE("membership.js", membership_js),
  FILE("menu.js", menu_js),
  FILE("message-backlog.js", message_backlog_js),
  FILE("message-bridge.js", message_bridge_js),
  FILE("message-choices.js", message_choices_js),
  FILE("message-clicks.js", message_clicks_js),
  FILE("message-content.js", message_content_js),
  FILE("message-element.js", message_element_js),
  FILE("message-faults.js", message_faults_js),
  FILE("message-frame.html", message_frame_html),
  FILE("message-host.js", message_host_js),
  FILE("message-model.js", message_model_js),
  FILE("message-offer.js", message_offer_js),
  FILE("message-page.js", message_page_js),
  FILE("message-presenter.js", message_presenter_js),
  FILE("message-screen.js", message_screen_js),
  FILE("message-swipe.js", message_swipe_js),
  FILE("message-theme.js", message_theme_js),
  FILE("message-video.js", message_video_js),
  FILE("message-waiting.js", message_waiting_js),
  FILE("messages.css", messages_css),
  FILE("messages.js", messages_js),
  FILE("mirror.js", mirror_js),
  FILE("notices.js", notices_js),
  FILE("own-file.js", own_file_js),
  FILE("own-suspensions.js", own_suspensions_js),
  FILE("page.css", page_css),
  FILE("page.js", page_js),
  FILE("pairing.js", pairing_js),
  FILE("participation.js", participation_js),
  FILE("people-view.js", people_view_js),
  FILE("picture-window.js", picture_window_js),
  FILE("platform.js", platform_js),
  FILE("player-side.js", player_side_js),
  FILE("player-view.js", player_view_js),
  FILE("presentation.js", presentation_js),
  FILE("push.js", push_js),
  FILE("qr-code.js", qr_code_js),
  FILE("queue-moves.js", queue_moves_js),
  FILE("queue-view.js", queue_view_js),
  FILE("queue.js", queue_js),
  FILE("reactions.js", reactions_js),
  FILE("ready-start.js", ready_start_js),
  FILE("reed-solomon.js", reed_solomon_js),
  FILE("requests.js", requests_js),
  FILE("screen-use.js", screen_use_js),
  FILE("screens.css", screens_css),
  FILE("service-worker.js", service_worker_js),
  FILE("settings-view.js", settings_view_js),
  FILE("shown-controls.js", shown_controls_js),
  FILE("skew.js", skew_js),
  FILE("speed.js", speed_js),
  FILE("stall-watch.js", stall_watch_js),
  FILE("start-view.js", start_view_js),
  FILE("steering.js", steering_js),
  FILE("surroundings.js", surroundings_js),
  FILE("sync-mark.js", sync_mark_js),
  FILE("texts.js", texts_js),
  FILE("ticker.js", ticker_js),
  FILE("timeline.js", timeline_js),
  FILE("tray-view.js", tray_view_js),
  FILE("tray.js", tray_js),
  FILE("view-registry.js", view_registry_js),
  FILE("volume.js", volume_js),
  FILE("waiting-policy.js", waiting_policy_js),
  FILE("ways-out.js", ways_out_js),
  FILE("welcome-view.js", welcome_view_js),
};

const struct site_file *site_file(size_t index) {
  return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
