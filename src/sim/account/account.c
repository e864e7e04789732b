/* All methods on one pipeline: each event goes to the methods that see it. */
#include "sim/account/account.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "sim/account/methods.h"

struct sim_account {
	struct sim_power5 power5;
	struct sim_fmt fmt;
	struct sim_sfmt sfmt;
	struct sim_tea tea;
};

struct sim_account *
sim_account_new(unsigned rows, unsigned rob)
{
	struct sim_account *a = mem_new(sizeof *a);

	if (!rows || rows > 4096 || !rob)
		panic("simulated counters: %u branches in flight, %u entries in the reorder buffer", rows, rob);
	sim_fmt_init(&a->fmt, rows, rob);
	sim_sfmt_init(&a->sfmt, rows, rob);
	return a;
}

void
sim_account_free(struct sim_account *a)
{
	if (!a)
		return;
	sim_fmt_free(&a->fmt);
	sim_sfmt_free(&a->sfmt);
	free(a);
}

void
sim_account_fetch(struct sim_account *a)
{
	sim_fmt_fetch(&a->fmt);
	sim_branches_fetch(&a->sfmt.branches);
}

void
sim_account_dispatch(struct sim_account *a, unsigned rob_id)
{
	sim_branches_dispatch(&a->fmt.branches, rob_id);
	sim_branches_dispatch(&a->sfmt.branches, rob_id);
}

void
sim_account_resolve(struct sim_account *a, unsigned rob_id, bool mispredicted, unsigned left)
{
	if (!mispredicted)
		return;
	sim_fmt_mispredict(&a->fmt, rob_id);
	sim_sfmt_mispredict(&a->sfmt, rob_id, left);
	sim_power5_flush(&a->power5, true);
	sim_tea_flush(&a->tea, true);
}

void
sim_account_squash(struct sim_account *a, unsigned left, unsigned branches)
{
	sim_fmt_squash(&a->fmt, branches);
	sim_sfmt_squash(&a->sfmt, left, branches);
	sim_power5_flush(&a->power5, false);
	sim_tea_flush(&a->tea, false);
}

void
sim_account_commit(struct sim_account *a, bool branch, bool mispredicted, unsigned missed)
{
	if (branch)
		sim_fmt_commit(&a->fmt, mispredicted);
	sim_sfmt_commit(&a->sfmt, branch, mispredicted, missed);
}

void
sim_account_cycle(struct sim_account *a, const struct sim_signals *s)
{
	sim_fmt_cycle(&a->fmt, s);
	sim_sfmt_cycle(&a->sfmt, s);
	sim_power5_cycle(&a->power5, s);
	sim_tea_cycle(&a->tea, s);
}

const uint64_t *
sim_account_counts(const struct sim_account *a, enum sim_method m)
{
	const uint64_t *const counts[SIM_N_METHODS] = {
		[SIM_POWER5] = a->power5.counts,
		[SIM_FMT] = a->fmt.counts,
		[SIM_SFMT] = a->sfmt.counts,
		[SIM_TEA] = a->tea.counts,
	};

	return counts[m];
}

enum sim_part
sim_account_last_tea(const struct sim_account *a)
{
	return a->tea.charged;
}

uint64_t
sim_account_bits(const struct sim_account *account, enum sim_method m)
{
	switch (m) {
	case SIM_POWER5:
		return sim_power5_bits();
	case SIM_FMT:
		return sim_fmt_bits(&account->fmt);
	case SIM_SFMT:
		return sim_sfmt_bits(&account->sfmt);
	case SIM_TEA:
		return sim_tea_bits();
	case SIM_N_METHODS:
		break;
	}
	return 0;
}
