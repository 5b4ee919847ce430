#include "deferred.h"

// The request that the current thread handles. The inline functions of CLqipMicroHTTPD use it.
_Thread_local void *lqip_mhd_request;

#ifdef __linux__

#include <microhttpd.h>
#include <stdarg.h>

#define LIBRARY "libmicrohttpd.so.12"
#define CONNECTION struct MHD_Connection *connection
#define RESPONSE struct MHD_Response *response

// C cannot forward variable arguments. The program calls MHD_get_connection_info() without any, and
// MHD_start_daemon() has a variant that takes a va_list.

const union MHD_ConnectionInfo *MHD_get_connection_info(
    CONNECTION, enum MHD_ConnectionInfoType type, ...) {
  return DEFERRED_FUNCTION(MHD_get_connection_info)(connection, type);
}

struct MHD_Daemon *MHD_start_daemon(
    unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *accept_context,
    MHD_AccessHandlerCallback handle, void *handle_context, ...) {
  va_list options;
  va_start(options, handle_context);
  struct MHD_Daemon *daemon = DEFERRED_FUNCTION(MHD_start_daemon_va)(
      flags, port, accept, accept_context, handle, handle_context, options);
  va_end(options);
  return daemon;
}

DEFER(MHD_socket, MHD_quiesce_daemon, (struct MHD_Daemon *daemon), (daemon))
DEFER(void, MHD_stop_daemon, (struct MHD_Daemon *daemon), (daemon))
DEFER(
    int, MHD_get_connection_values_n,
    (CONNECTION, enum MHD_ValueKind kind, MHD_KeyValueIteratorN iterator, void *context),
    (connection, kind, iterator, context))
DEFER(
    struct MHD_Response *, MHD_create_response_from_buffer,
    (size_t size, void *buffer, enum MHD_ResponseMemoryMode mode), (size, buffer, mode))
DEFER(
    enum MHD_Result, MHD_add_response_header,
    (RESPONSE, const char *header, const char *content), (response, header, content))
DEFER(
    enum MHD_Result, MHD_queue_response, (CONNECTION, unsigned int status, RESPONSE),
    (connection, status, response))
DEFER(void, MHD_destroy_response, (RESPONSE), (response))

#endif
