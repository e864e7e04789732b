/* Kinds of texts that give counters a meaning. */
#ifndef CORE_COUNTERS_TEXT_KIND_H
#define CORE_COUNTERS_TEXT_KIND_H

/* Session files contain these numbers, too (docs/session-file.md). */
enum text_kind { TEXT_MODEL, TEXT_NETWORK, TEXT_STACK };

#endif
