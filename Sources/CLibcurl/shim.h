#include <curl/curl.h>
#include <openssl/ssl.h>
#include <string.h>

// Swift does not import variadic functions, so each type of argument has a function of its own.

static inline CURLcode matinee_easy_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

/// Texts are copied by libcurl; the other pointers must outlive the transfer.
static inline CURLcode matinee_easy_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode matinee_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode matinee_easy_set_list(
    CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

/// Copies the body.
static inline CURLcode matinee_easy_set_body(CURL *easy, const void *bytes, long count) {
  CURLcode status = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, count);
  if (status != CURLE_OK) return status;
  return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode matinee_easy_on_socket(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode matinee_easy_on_request(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode matinee_easy_on_body(CURL *easy, curl_write_callback function) {
  return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}

/// The whole address; the structure declares only the beginning of it.
static inline const struct sockaddr *matinee_address(const struct curl_sockaddr *address) {
  return &address->addr;
}

static inline CURLcode matinee_easy_get_number(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode matinee_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode matinee_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode matinee_multi_on_socket(CURLM *multi, curl_socket_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode matinee_multi_on_timer(CURLM *multi, curl_multi_timer_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

static inline CURLMcode matinee_multi_timeout(CURLM *multi) {
  int running = 0;
  return curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

static inline CURLMcode matinee_multi_ready(CURLM *multi, curl_socket_t socket, int events) {
  int running = 0;
  return curl_multi_socket_action(multi, socket, events, &running);
}

/// The next transfer that has ended; null if there is none.
static inline CURL *matinee_multi_next_ended(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

/// Whether the two ends of a transfer's connection have agreed on HTTP/2 during the TLS handshake.
///
/// `CURLINFO_HTTP_VERSION` tells it only once the answer is there.
static inline int matinee_easy_agreed_http2(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return 0;
  if (!session || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return 0;
  const unsigned char *name = NULL;
  unsigned int length = 0;
  SSL_get0_alpn_selected((const SSL *)session->internals, &name, &length);
  return length == 2 && memcmp(name, "h2", 2) == 0;
}
