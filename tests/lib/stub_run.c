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
	stub(r)->going = !stub(r)->refuses;
	return stub(r)->going || err_set(e, "it is refused");
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

	s->in_order &= s->going;
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
		s->going = false;
		break;
	}
}

static bool
stub_running(const struct run *r)
{
	return ((const struct stub_run *)r)->going;
}

static int
stub_fd(const struct run *r)
{
	(void)r;
	return -1;
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
	s->going = false;
	run_announce(r, &(struct run_sign){.kind = RUN_OVER});
	return RUN_ENDED;
}

static void
stub_finish(struct run *r)
{
	stub(r)->finishes++;
	stub(r)->going = false;
}

static void
stub_explain(struct run *r, struct str *out)
{
	(void)r;
	str_add(out, "observed nothing\n");
}

static const struct obs_table *const *
stub_tables(struct run *r, size_t *n)
{
	(void)r;
	*n = 0;
	return NULL;
}

static void
stub_free(struct run *r)
{
	run_leave(r);
	stub(r)->frees++;
}

const struct run_ops stub_run_ops = {
	.name = "stub",
	.go = stub_go,
	.join = stub_join,
	.sign = stub_sign,
	.running = stub_running,
	.fd = stub_fd,
	.patience = stub_patience,
	.poll = stub_poll,
	.finish = stub_finish,
	.explain = stub_explain,
	.tables = stub_tables,
	.free = stub_free,
};
