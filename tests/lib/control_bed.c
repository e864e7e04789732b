#include "control_bed.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "test.h"

#define PATIENCE_SECONDS 120

const char bed_network[] =
	"network faults \"page faults\"; kind rd \"reads\";\n"
	"counter faults = \"page-faults:u\" per task unit requests;\n"
	"counter minor = \"minor-faults:u\" per task unit requests;\n"
	"stage a { module memory \"memory\" { rd { hit = minor; miss = faults; } } }\n"
	"stage b { module disk \"disk\" { rd { hit = faults; } } }\n"
	"link memory -> disk { rd = faults; }\n";

void
bed_enter(struct bed *b)
{
	memset(b, 0, sizeof *b);
	strcpy(b->folder, "/tmp/hecate-control-XXXXXX");
	CHECK(getcwd(b->came_from, sizeof b->came_from) && mkdtemp(b->folder) && chdir(b->folder) == 0);
}

void
bed_close(struct bed *b)
{
	char *remove = str_format("rm -rf %s", b->folder);

	control_close(&b->c);
	state_free(&b->s);
	CHECK(chdir(b->came_from) == 0 && system(remove) == 0);
	free(remove);
}

void
bed_turn(struct bed *b)
{
	struct pollfd p[CONTROL_POLLS];
	double wait = fmin(0.05, control_patience(&b->c));

	b->s.view.frame.now = clock_seconds();
	control_carry_out(&b->c);
	control_poll(&b->c, p);
	poll(p, CONTROL_POLLS, (int)(wait * 1000) + 1);
	b->s.view.frame.now = clock_seconds();
	control_listen(&b->c);
}

bool
bed_until(struct bed *b, bool (*done)(const struct bed *))
{
	double limit = clock_seconds() + PATIENCE_SECONDS;

	while (!done(b)) {
		if (clock_seconds() > limit)
			return test_check(false, __FILE__, __LINE__, "no answer in %d s; the message is: %s",
				PATIENCE_SECONDS, b->s.view.message.text);
		bed_turn(b);
	}
	return true;
}
