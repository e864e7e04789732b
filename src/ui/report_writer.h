/* Writes the report on what is open into the present folder (key w). */
#ifndef UI_REPORT_WRITER_H
#define UI_REPORT_WRITER_H

#include <stdbool.h>

struct state;

/* `page`: one HTML page, otherwise Markdown with pictures. */
bool report_writer_has(const struct state *, bool page); /* there is something to write */
/* Writes under the first free number, and says so, or why it could not. */
void report_writer_write(struct state *, bool page);

#endif
