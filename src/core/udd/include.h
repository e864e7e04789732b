/* Reads a model's first file and those that it includes. Private to core/udd. */
#ifndef CORE_UDD_INCLUDE_H
#define CORE_UDD_INCLUDE_H

#include <stdbool.h>

#include "core/udd/model.h"

struct parser;
struct udd_word;

#define UDD_INCLUDE_DEPTH_MAX 64
#define UDD_TEXT_MAX ((size_t)64 << 20)    /* total bytes of all files */

/* Identities of the files read, so that each is read once and cycles are found. */
struct includes {
	struct { uint64_t dev, ino; bool open; } file[UDD_FILES_MAX];
	size_t loads, bytes;
	int depth;
};

/* Parse the items of a loaded text as the next file of the model; takes ownership of the text. `shown` is its name in
 * messages if the file has no name. */
void include_text(struct parser *, struct udd_file *, const char *shown);
/* Load and parse the model's first file into parser->ast. Returns false and adds a diagnostic if it cannot be read. */
bool include_first(struct parser *, const char *path);
/* Load and parse an included file at the parser's position. Returns its number, or UDD_READ_BEFORE if nothing is
 * read. Errors are diagnostics at the file name. */
uint32_t include_file(struct parser *, const struct udd_word *path);

#endif
