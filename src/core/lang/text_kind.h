/* Kinds of texts that counters are interpreted with. */
#ifndef CORE_LANG_TEXT_KIND_H
#define CORE_LANG_TEXT_KIND_H

/* In session files, too (docs/session-file.md). */
enum session_text { SESSION_MODEL, SESSION_NETWORK, SESSION_STACK };

#endif
