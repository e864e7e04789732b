/* Shared by the files that parse lessons. */
#ifndef CORE_LESSON_PARSER_H
#define CORE_LESSON_PARSER_H

#include "core/lesson/lesson.h"
#include "text/diag.h"
#include "text/item.h"

struct lesson_parser {
	struct item_reader r;
	struct lesson *lesson;
};

/* All return false after adding a diagnostic. */

/* Parse a name, bare or quoted; a bare one may have '-' in it. */
bool lesson_parse_name(struct lesson_parser *, const char *what, const char **out);
/* Parse texts one after another: parts of one text, with a blank between them. */
bool lesson_parse_text(struct lesson_parser *, const char *what, const char **out);
/* Parse what may be true of the screen. The words of `also`, NULL-terminated, are named in a message as well. */
bool lesson_parse_rule(struct lesson_parser *, const char *const *also, struct lesson_rule *);
/* Parse a task, up to its end; the word 'task' was read. */
bool lesson_parse_task(struct lesson_parser *, struct lesson_step *);
/* Parse "accepts FILE" or "refutes FILE". */
bool lesson_parse_names(struct lesson_parser *, const char *what, const char ***list, size_t *n);

/* Appends an element of `size` bytes to an array that the arena owns. */
void lesson_append(struct arena *, void *array, size_t *n, size_t size, const void *element);

#endif
