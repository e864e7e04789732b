#include "stub_run.h"

#include "base/err.h"
#include "base/str.h"

static struct stub_run *
stub(struct run *r)
{
	return (struct stub_run *)r;
}

void
stub_run_begin(struct stub_run *s)
{
	s->run = (struct run){.ops = &stub_run_ops};
	s->in_order = true;
}

static bool
stub_go(struct run *r, struct err *e)
{
	return !stub(r)->refuses || err_set(e, "it is refused");
}

static bool
stub_join(struct run *r, const struct run_held *held, struct err *e)
{
	struct stub_run *s = stub(r);

	s->held = held->n;
	s->one_by_one = held->one_by_one;
	for (size_t i = 0; i < held->n && i < 8; i++)
		s->pid[i] = held->pid[i];
	s->in_order &= s->starts + s->rows + s->intervals + s->ends == 0;
	return stub_go(r, e);
}

static void
stub_sign(struct run *r, const struct run_sign *sign)
{
	struct stub_run *s = stub(r);
	bool known = false;

	s->in_order &= r->running;
	switch (sign->kind) {
	case RUN_STARTS:
		for (size_t i = 0; i < s->held && i < 8; i++)
			known |= s->pid[i] == sign->pid;
		s->in_order &= known;
		s->starts++;
		break;
	case RUN_ROW:
		s->rows++;
		break;
	case RUN_INTERVAL:
		s->intervals++;
		break;
	case RUN_OVER:
		s->ends++;
		r->running = false;
		break;
	}
}

static double
stub_patience(const struct run *r)
{
	(void)r;
	return 0.001;
}

static enum run_step
stub_poll(struct run *r, struct err *e)
{
	struct stub_run *s = stub(r);

	(void)e;
	s->polls++;
	if (!s->polls_most || s->polls < s->polls_most)
		return RUN_NEWS;
	run_announce(r, &(struct run_sign){.kind = RUN_OVER});
	return RUN_ENDED;
}

static void
stub_end(struct run *r, bool hard)
{
	stub(r)->finishes += !hard;
	stub(r)->kills += hard;
	r->running = stub(r)->stays;
}

static void
stub_explain(struct run *r, struct str *out)
{
	(void)r;
	str_add(out, "observed nothing\n");
}

static void
stub_free(struct run *r)
{
	stub(r)->frees++;
}

const struct run_ops stub_run_ops = {
	.name = "stub",
	.go = stub_go,
	.join = stub_join,
	.sign = stub_sign,
	.patience = stub_patience,
	.poll = stub_poll,
	.end = stub_end,
	.explain = stub_explain,
	.free = stub_free,
};
