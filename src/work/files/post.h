/* Sends a text to an HTTP server. libcurl is loaded by the first call: without it nothing else is slower or larger. */
#ifndef WORK_FILES_POST_H
#define WORK_FILES_POST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

enum post_answer {
	POST_TAKEN,   /* 2xx */
	POST_REFUSED, /* the server will not take this text, however often it is sent */
	POST_AWAY,    /* no server, or one that is busy: try again later */
};

bool post_is_address(const char *to); /* http://… or https://… */

/* Posts n bytes, within 30 s. Other answers than POST_TAKEN set *e, with the first line of what the server said. */
enum post_answer post_text(const char *to, const char *text, size_t n, struct err *e);

#endif
