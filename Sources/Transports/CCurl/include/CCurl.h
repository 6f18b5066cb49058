// What Errand uses of libcurl, without its headers: they need no installation. The library is found when the first
// request is sent. Numbers and types are those of `curl/curl.h` and `curl/multi.h`, which libcurl keeps for as long as its
// file is called `libcurl.so.4` (https://curl.se/libcurl/abi.html).
#ifndef ERRAND_CCURL_H
#define ERRAND_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Options (CURLOPT_…)

enum {
    errand_curlopt_post_field_size = 30120,
    errand_curlopt_copy_post_fields = 10165,
    errand_curlopt_url = 10002,
    errand_curlopt_custom_request = 10036,
    errand_curlopt_http_header = 10023,
    errand_curlopt_http_get = 80,
    errand_curlopt_no_body = 44,
    errand_curlopt_upload = 46,
    errand_curlopt_upload_size = 30115,
    errand_curlopt_upload_buffer_size = 280,
    errand_curlopt_buffer_size = 98,
    errand_curlopt_accept_encoding = 10102,
    errand_curlopt_http_version = 84,
    errand_curlopt_timeout_ms = 155,
    errand_curlopt_connect_timeout_ms = 156,
    errand_curlopt_no_signal = 99,
    errand_curlopt_quick_exit = 322,
    errand_curlopt_path_as_is = 234,
    errand_curlopt_protocols = 181,
    errand_curlopt_tcp_keepalive = 213,
    errand_curlopt_suppress_connect_headers = 265,
    errand_curlopt_ca_file = 10065,
    errand_curlopt_ca_path = 10097,
    errand_curlopt_ca_blob = 40309,
    errand_curlopt_certificate_blob = 40291,
    errand_curlopt_certificate_type = 10086,
    errand_curlopt_key_blob = 40292,
    errand_curlopt_key_type = 10088,
    errand_curlopt_fresh_connect = 74,
    errand_curlopt_maximum_age = 288,
    errand_curlopt_resolve = 10203,
    errand_curlopt_proxy = 10004,
    errand_curlopt_no_proxy = 10177,
    errand_curlopt_proxy_user = 10175,
    errand_curlopt_proxy_password = 10176,
    errand_curlopt_proxy_authentication = 111,
    errand_curlopt_pinned_key = 10230,
    errand_curlopt_tls_version = 32,
    errand_curlopt_proxy_tls_version = 250,
};

enum {
    errand_curl_protocols_http_https = 3,
    errand_curl_http_1_1 = 2,
    errand_curl_http_2_over_tls = 4,
    /// The least version. Without an upper limit, the TLS library takes later ones as well.
    errand_curl_tls_1_2 = 6,
    errand_curl_basic = 1,
};

enum {
    /// What `errand_curlinfo_http_version` is for HTTP/2. Those of earlier versions are smaller.
    errand_curl_version_http_2 = 3,
};

// MARK: Options of a multi handle (CURLMOPT_…)

enum {
    errand_curlmopt_maximum_kept_connections = 6,
    errand_curlmopt_maximum_host_connections = 7,
};

// MARK: Facts (CURLINFO_…)

enum {
    errand_curlinfo_response_code = 0x200002,
    errand_curlinfo_connect_code = 0x200016,
    errand_curlinfo_http_version = 0x20002E,
};

// MARK: What callbacks return

enum {
    /// CURL_WRITEFUNC_PAUSE, CURL_READFUNC_PAUSE
    errand_curl_pause_write = 0x10000001,
    errand_curl_pause_read = 0x10000001,
    errand_curl_abort_read = 0x10000000,
    errand_curl_prerequest_go = 0,
    errand_curl_prerequest_abort = 1,
    /// CURL_SOCKET_BAD
    errand_curl_no_socket = -1,
};

// MARK: Results (CURLE_…)

enum {
    errand_curle_ok = 0,
    errand_curle_unsupported_protocol = 1,
    errand_curle_malformed_url = 3,
    errand_curle_unresolved_proxy = 5,
    errand_curle_unresolved_host = 6,
    errand_curle_not_connected = 7,
    errand_curle_weird_reply = 8,
    errand_curle_http2 = 16,
    errand_curle_partial = 18,
    errand_curle_write = 23,
    errand_curle_memory = 27,
    errand_curle_timeout = 28,
    errand_curle_tls_connect = 35,
    errand_curle_aborted = 42,
    errand_curle_nothing = 52,
    errand_curle_send = 55,
    errand_curle_receive = 56,
    errand_curle_rewind = 65,
    errand_curle_client_certificate = 58,
    errand_curle_cipher = 59,
    errand_curle_untrusted = 60,
    errand_curle_content_encoding = 61,
    errand_curle_certificates_file = 77,
    errand_curle_revocation_list = 82,
    errand_curle_issuer = 83,
    errand_curle_pinned = 90,
    errand_curle_certificate_status = 91,
    errand_curle_http2_stream = 92,
    errand_curle_proxy_handshake = 97,
    errand_curle_client_certificate_wanted = 98,
    errand_curle_too_large = 100,
};

// MARK: Types

typedef size_t (*errand_curl_data_callback)(char *, size_t, size_t, void *);
typedef int (*errand_curl_prerequest_callback)(void *, char *, char *, int, int);
typedef int (*errand_curl_resolver_start_callback)(void *, void *, void *);
/// The context, what the socket is for, its address. The result is the socket.
typedef int (*errand_curl_open_socket_callback)(void *, int, void *);
/// The handle, the kind of the text, the text without a zero at its end, its size, the context.
typedef int (*errand_curl_text_callback)(void *, int, char *, size_t, void *);

enum {
    /// CURLINFO_TEXT: what libcurl says of its own steps. The other kinds are data.
    errand_curl_text_report = 0,
};

typedef struct {
    /// Receives the lines of headers, and those of trailers.
    errand_curl_data_callback header;
    /// Receives the body of a response.
    errand_curl_data_callback write;
    /// Gives the body of a request.
    errand_curl_data_callback read;
    /// Called each time that a request is about to be written to a connection.
    errand_curl_prerequest_callback prerequest;
    /// Called each time that libcurl is about to look up a name that it has no addresses of; a result other than 0 keeps it
    /// from that, and ends the request.
    errand_curl_resolver_start_callback resolver_start;
    /// Called each time that libcurl needs a socket for a new connection. It returns the result of `errand_curl_open_socket`, or
    /// `errand_curl_no_socket`, which ends the request unless the host has further addresses.
    errand_curl_open_socket_callback open_socket;
} errand_curl_callbacks;

// MARK: The library

/// Loads libcurl the first time that it is called. False without a usable one: version 7.80 or later with TLS,
/// which inflates, and looks up names on threads of its own.
bool errand_curl_is_available(void);
/// The version of libcurl as 0xXXYYZZ; 0 without a usable one.
unsigned int errand_curl_version(void);
/// Whether it speaks HTTP/2.
bool errand_curl_has_http2(void);
/// Whether it reaches proxies over TLS.
bool errand_curl_has_https_proxy(void);
/// Whether its TLS library takes client certificates from memory: OpenSSL, and libraries derived from it. The options succeed with
/// every library.
bool errand_curl_has_certificate_blobs(void);
/// What a result is called. Only after `errand_curl_is_available`, like all that follows.
const char *errand_curl_name(int result);
/// Keeps a write to a closed connection from ending the process, on the calling thread.
void errand_curl_block_pipe_signal(void);
/// Starts a thread that ends by itself; false if the system has none left.
bool errand_curl_start_thread(void *(*work)(void *), void *context);

// MARK: One request

void *errand_curl_easy_make(void);
void errand_curl_easy_free(void *easy);
/// Takes back all options, and keeps the memory.
void errand_curl_easy_reset(void *easy);
int errand_curl_set_number(void *easy, int option, long value);
int errand_curl_set_size(void *easy, int option, int64_t value);
/// The text is copied. NULL takes a default away.
int errand_curl_set_text(void *easy, int option, const char *text);
/// The bytes are copied.
int errand_curl_set_bytes(void *easy, int option, const void *bytes, size_t count);
int errand_curl_set_list(void *easy, int option, void *list);
/// A socket that started processes do not inherit, for an address from libcurl.
int errand_curl_open_socket(const void *address);
/// Sets what is called with `context`.
void errand_curl_set_callbacks(void *easy, void *context, const errand_curl_callbacks *callbacks);
/// Sets what gets libcurl's texts about its steps, with `context`. From version 8.3, they include those of HTTP/2.
void errand_curl_set_reports(void *easy, void *context, errand_curl_text_callback callback);
/// The number of bytes of a buffer for the text of an error, with its zero (CURL_ERROR_SIZE).
enum { errand_curl_error_size = 256 };
/// Sets where libcurl writes the text of an error. The buffer must live as long as the handle has it.
void errand_curl_set_error_buffer(void *easy, char *buffer);
/// What `errand_curl_set_callbacks` was given.
void *errand_curl_context(void *easy);
long errand_curl_number(void *easy, int fact);
/// Pauses reading the response, and continues sending. Callbacks must not call it.
int errand_curl_pause_receiving(void *easy);
/// Goes on in both directions.
int errand_curl_resume(void *easy);
/// Appends a copy of the text; NULL without memory; the list is then unchanged.
void *errand_curl_list_append(void *list, const char *text);
void errand_curl_list_free(void *list);

// MARK: Many requests

void *errand_curl_multi_make(void);
void errand_curl_multi_free(void *multi);
void errand_curl_multi_set(void *multi, int option, long value);
int errand_curl_multi_add(void *multi, void *easy);
int errand_curl_multi_remove(void *multi, void *easy);
int errand_curl_multi_perform(void *multi);
int errand_curl_multi_poll(void *multi, int milliseconds);
/// The one function that may be called on another thread.
void errand_curl_multi_wake(void *multi);
/// The next request that has ended, with its result; NULL without one.
void *errand_curl_multi_next(void *multi, int *result);

#endif
