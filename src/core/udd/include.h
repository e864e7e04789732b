/* Reading a model's files: the first, and those that it includes. Private to core/udd. */
#ifndef CORE_UDD_INCLUDE_H
#define CORE_UDD_INCLUDE_H

#include <stdbool.h>

#include "core/udd/model.h"

struct parser;
struct udd_word;

#define UDD_INCLUDE_DEPTH_MAX 64
#define UDD_TEXT_MAX ((size_t)64 << 20)    /* bytes of all of them */

/* What was read: identities, so that each text is read once and a cycle is seen. */
struct includes {
	struct { uint64_t dev, ino; bool open; } file[UDD_FILES_MAX];
	size_t loads, bytes;
	int depth;
};

/* Parse the items of a text that was loaded, as the next file of the model; the text is taken over. `shown` is its name
 * where it has none. */
void include_text(struct parser *, struct udd_file *, const char *shown);
/* Load and parse the model's first file into parser->ast. False and a diagnostic when it cannot be read. */
bool include_first(struct parser *, const char *path);
/* … and one that is included: its items come where the parser is. Returns its number, or UDD_READ_BEFORE when nothing
 * is read; errors are diagnostics at the file name. */
uint32_t include_file(struct parser *, const struct udd_word *path);

#endif
