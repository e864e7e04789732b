/* What the engine says, taken apart. Private to app/engine/. */
#ifndef APP_ENGINE_ENGINE_REPLY_H
#define APP_ENGINE_ENGINE_REPLY_H

#include <stdbool.h>

struct engine_reply;
struct message_head;
struct wire;

/* False for what is no reply; whether the message adds up is for the wire to say. The reply owns what it got, also
 * then. */
bool engine_reply_read(const struct message_head *, struct wire *, struct engine_reply *);

#endif
