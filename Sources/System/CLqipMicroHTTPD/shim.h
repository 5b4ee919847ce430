#include <microhttpd.h>

// Swift cannot import variadic functions, and the library takes its options by them.

#pragma clang assume_nonnull begin

/// What a daemon is started with.
typedef struct {
  MHD_socket listening;
  unsigned int connection_limit;
  /// 0 for no limit.
  unsigned int connection_limit_per_address;
  size_t connection_memory;
  size_t thread_stack_size;
} lqip_mhd_options;

/// What the daemon calls, each with `context` as its first argument.
typedef struct {
  void *context;
  MHD_NotifyConnectionCallback connection;
  void *_Nonnull (*_Nonnull begin)(
      void *_Nullable context, const char *_Nullable target,
      struct MHD_Connection *_Nullable connection);
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback finish;
} lqip_mhd_callbacks;

/// Starts a daemon; the certificate and its key are in PEM, or missing for plain HTTP.
static inline struct MHD_Daemon *_Nullable lqip_mhd_start(
    lqip_mhd_options options, const char *_Nullable certificate, const char *_Nullable key,
    lqip_mhd_callbacks callbacks) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC;
  struct MHD_OptionItem tls[] = {
    { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate },
    { MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key },
    { MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" },
    { MHD_OPTION_END, 0, NULL },
  };
  if (certificate)
    flags |= MHD_USE_TLS;
  else
    tls[0].option = MHD_OPTION_END;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, callbacks.handle, callbacks.context,
      MHD_OPTION_LISTEN_SOCKET, options.listening,
      MHD_OPTION_CONNECTION_LIMIT, options.connection_limit,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, options.connection_limit_per_address,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.connection_memory,
      MHD_OPTION_THREAD_STACK_SIZE, options.thread_stack_size,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, callbacks.context,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks.begin, callbacks.context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.finish, callbacks.context,
#if MHD_VERSION >= 0x00097701
      MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
      MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

/// The connection's socket, or -1.
static inline MHD_socket lqip_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// How many bytes the head of the request has.
static inline size_t lqip_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// The status of the response, or 0 while there is none.
static inline unsigned int lqip_mhd_status(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
  return info ? info->http_status : 0;
}

#pragma clang assume_nonnull end
