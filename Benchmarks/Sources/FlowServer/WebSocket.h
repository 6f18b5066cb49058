#pragma once
#include <stdbool.h>

/// Serves a connection of WebSocket (RFC 6455) after the head of its handshake. Returns when it is over.
///
/// A text of the client that has "count":N gets N events, a multiple of 1,000, and then the end. Their id is that of the text.
void serve_frames(int socket, const char *head);
