/* Phases as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_PHASES_H
#define CLI_PRINT_PRINT_PHASES_H

#include <stddef.h>

struct options;
struct phases;
struct scenario;
struct writing;

struct phases_report {
	const struct options *options;
	const struct scenario *scenario; /* NULL: none */
	struct writing *out;
	size_t before, after; /* windows to be compared, from 1; 0: those at the largest change */
};

void print_phases_begin(struct phases_report *, size_t sets);
void print_phases(struct phases_report *, const struct phases *);
void print_phases_end(struct phases_report *);

#endif
