/* What is drawn between begin and end arrives at once and whole; other output to the terminal is not touched. A pipe
 * replaces the terminal. */
#include "ui/term_frame.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "test.h"

struct pipe_out {
	int reader, kept; /* kept: the test's own standard output */
};

static struct pipe_out
redirect(void)
{
	int ends[2];
	struct pipe_out p = {.reader = -1, .kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};

	fflush(stdout);
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
		p.reader = ends[0];
		dup2(ends[1], STDOUT_FILENO);
		close(ends[1]);
	}
	return p;
}

static void
restore(struct pipe_out *p)
{
	dup2(p->kept, STDOUT_FILENO);
	close(p->kept);
	close(p->reader);
}

/* Adds what has arrived since the last call, and a bar. */
static void
arrived(const struct pipe_out *p, struct str *seen)
{
	char text[40000];
	ssize_t n = read(p->reader, text, sizeof text);

	str_addf(seen, "%.*s|", n > 0 ? (int)n : 0, text);
}

static void
draw(const struct term_frame *f, const char *text)
{
	fputs(text, f->out);
	fflush(f->out);
}

static void
frames_arrive_whole(void)
{
	struct pipe_out p = redirect();
	struct str seen = {0};
	struct term_frame f;

	term_frame_open(&f);
	draw(&f, "before");
	arrived(&p, &seen);
	term_frame_begin(&f);
	draw(&f, "one ");
	draw(&f, "two");
	arrived(&p, &seen);
	(void)!write(STDOUT_FILENO, "other", 5); /* output of a child or another thread */
	arrived(&p, &seen);
	term_frame_end(&f);
	arrived(&p, &seen);
	term_frame_begin(&f);
	draw(&f, "three");
	term_frame_end(&f);
	arrived(&p, &seen); /* nothing of the frame before */
	term_frame_end(&f);
	arrived(&p, &seen);
	draw(&f, "after");
	arrived(&p, &seen);
	term_frame_close(&f);
	restore(&p);
	CHECK_STR(str_text(&seen), "before||other|one two|three||after|");
	str_free(&seen);
}

/* Longer than one piece of copying. */
static void
long_frames_arrive_whole(void)
{
	struct pipe_out p = redirect();
	struct str seen = {0}, want = {0};
	struct term_frame f;

	str_addf(&want, "|%030000d|", 7);
	term_frame_open(&f);
	term_frame_begin(&f);
	fprintf(f.out, "%030000d", 7);
	fflush(f.out);
	arrived(&p, &seen);
	term_frame_end(&f);
	arrived(&p, &seen);
	term_frame_close(&f);
	restore(&p);
	CHECK_STR(str_text(&seen), str_text(&want));
	str_free(&seen);
	str_free(&want);
}

TEST_MAIN(CASE(frames_arrive_whole), CASE(long_frames_arrive_whole))
