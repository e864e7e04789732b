/* Kinds of texts that counters are interpreted with. */
#ifndef CORE_COUNTERS_TEXT_KIND_H
#define CORE_COUNTERS_TEXT_KIND_H

/* In session files, too (docs/session-file.md). */
enum text_kind { TEXT_MODEL, TEXT_NETWORK, TEXT_STACK };

#endif
