/* Messages between the process that measures and the contest (contest.h). */
#ifndef WORK_DIFF_CONTEST_NEWS_H
#define WORK_DIFF_CONTEST_NEWS_H

#include <stdbool.h>
#include <stddef.h>

struct measured_diff;
struct wire;

struct listed {
	char *name, *unit, *exact_by; /* owned */
	bool is_time, exact;
};

enum news_word { NEWS_QUANTITIES, NEWS_RUN, NEWS_REPORT, NEWS_WHY, NEWS_WAITS, NEWS_FAILED, NEWS_WORDS };

struct news {
	enum news_word word;
	struct listed *listed; /* all quantities */
	size_t n_listed;
	/* a run: its row, which of the two ran, its values, and when it ended */
	size_t row;
	bool is_b;
	double *value, ended;
	size_t n;
	size_t runs; /* a report is of so many, or the recording of tasks */
	struct measured_diff *measured;
	char *text; /* a failure */
};

/* Frees what a message owns: lists, values and the text. */
void news_free(struct news *);
void news_wire_all(struct wire *, struct news *);

#endif
