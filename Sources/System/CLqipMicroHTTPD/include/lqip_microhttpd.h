// The libmicrohttpd functions in use.

#ifndef LQIP_MICROHTTPD_H
#define LQIP_MICROHTTPD_H

#include <limits.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

// Swift may not find the constants of a system header that several modules include.
static const int lqip_do_not_wait = MSG_DONTWAIT;
static const int lqip_no_signal = MSG_NOSIGNAL;
static const int lqip_peek = MSG_PEEK;

#pragma clang assume_nonnull begin

#define MHD_FUNCTIONS(each) \
  each(MHD_start_daemon) each(MHD_add_connection) each(MHD_stop_daemon) \
  each(MHD_get_connection_info) each(MHD_get_connection_values_n) \
  each(MHD_create_response_from_buffer) each(MHD_add_response_header) \
  each(MHD_queue_response) each(MHD_destroy_response) each(MHD_get_reason_phrase_for)

typedef struct {
#define MHD_FIELD(name) __typeof__(&name) _Nonnull name;
  MHD_FUNCTIONS(MHD_FIELD)
} lqip_mhd_functions;

/// Returns the functions of libmicrohttpd, loading it if necessary; null if it cannot be loaded.
const lqip_mhd_functions *_Nullable lqip_mhd(void);

/// The callbacks of a daemon, with the types of libmicrohttpd. The first argument is `context` unless stated otherwise.
typedef struct {
  void *context;
  void (*connection)(
      void *context, struct MHD_Connection *connection, void *_Nullable *_Nonnull socket_context,
      enum MHD_ConnectionNotificationCode event);
  void *_Nonnull (*_Nonnull begin)(
      void *context, const char *_Nullable target, struct MHD_Connection *connection);
  enum MHD_Result (*handle)(
      void *context, struct MHD_Connection *connection, const char *path, const char *method,
      const char *version, const char *_Nullable piece, size_t *count,
      void *_Nullable *_Nonnull request);
  /// Called with the request passed to `lqip_mhd_enter`: before libmicrohttpd rejects it, with the status of its
  /// response, and before the connection closes because of an error, with 0.
  void (*refuse)(void *request, unsigned int status);
  void (*finish)(
      void *context, struct MHD_Connection *connection, void *_Nullable *_Nonnull request,
      enum MHD_RequestTerminationCode reason);
} lqip_mhd_callbacks;

/// The request that the current thread handles. Defined once for all translation units.
extern _Thread_local void *_Nullable lqip_mhd_request;

/// Whether the current thread could not start the thread of its last connection.
extern _Thread_local bool lqip_mhd_lacks_thread;

/// Returns whether the current thread could not start the thread of its last connection, and resets the value.
static inline bool lqip_mhd_take_lack_of_thread(void) {
  const bool lacks_thread = lqip_mhd_lacks_thread;
  lqip_mhd_lacks_thread = false;
  return lacks_thread;
}

/// Sets the request that the current thread handles.
static inline void lqip_mhd_enter(void *_Nullable request) { lqip_mhd_request = request; }

typedef void (*lqip_mhd_refusal)(void *request, unsigned int status);

/// Calls `refuse` for each log message about the request of the current thread.
///
/// The library has no callback for requests that it rejects itself, but writes to its log before it responds. It also
/// does so before it closes a connection whose request is incomplete; afterwards, nothing can be sent. Without a request,
/// the message may be that a thread could not be started. Should a version word its messages otherwise, clients get the
/// library's own response, or a closed connection without one.
static inline void lqip_mhd_log(void *_Nullable refuse, const char *format, va_list arguments) {
  static const char start[] = "Error processing request (HTTP response code is %u";
  static const char no_thread[] = "Failed to create a";
  void *request = lqip_mhd_request;
  if (!request && strncmp(format, no_thread, sizeof no_thread - 1) == 0) lqip_mhd_lacks_thread = true;
  if (!refuse || !request) return;
  bool rejects = strncmp(format, start, sizeof start - 1) == 0;
  ((lqip_mhd_refusal)refuse)(request, rejects ? va_arg(arguments, unsigned int) : 0);
}

/// Truncates a request target after the question mark, so that libmicrohttpd does not parse the query.
static inline void lqip_mhd_drop_query(const char *_Nullable target) {
  char *query = target ? strchr(target, '?') : NULL;
  if (query && query[1]) query[1] = '\0';
}

/// Returns whether libmicrohttpd itself rejects ambiguous requests.
static inline bool lqip_mhd_is_strict(void) {
#if MHD_VERSION >= 0x00097701
  return true;
#else
  return false;
#endif
}

/// Starts a daemon for plain HTTP. Call this only if `lqip_mhd` does not return null.
///
/// The memory per connection and the stack size of each thread are in bytes. The options of libmicrohttpd are variadic
/// arguments, which Swift cannot pass.
static inline struct MHD_Daemon *_Nullable lqip_mhd_start(
    size_t connection_memory, size_t thread_stack_size, lqip_mhd_callbacks callbacks) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC |
                       MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG;
  return lqip_mhd()->MHD_start_daemon(
      flags, 0, NULL, NULL, callbacks.handle, callbacks.context,
      // The logger comes first because each option takes effect immediately.
      MHD_OPTION_EXTERNAL_LOGGER, lqip_mhd_log, (void *)callbacks.refuse,
      // `DeadlineReaper` limits the connections.
      MHD_OPTION_CONNECTION_LIMIT, UINT_MAX,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      MHD_OPTION_THREAD_STACK_SIZE, thread_stack_size,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, callbacks.context,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks.begin, callbacks.context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.finish, callbacks.context,
#if MHD_VERSION >= 0x00097701
      MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
      MHD_OPTION_END);
}

/// Returns information about a connection, or null if it is unknown. Swift cannot call the variadic original.
static inline const union MHD_ConnectionInfo *_Nullable lqip_mhd_info(
    struct MHD_Connection *connection, enum MHD_ConnectionInfoType type) {
  return lqip_mhd()->MHD_get_connection_info(connection, type);
}

#pragma clang assume_nonnull end

#endif
