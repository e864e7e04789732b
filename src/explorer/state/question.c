#include "explorer/state/question.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/str.h"
#include "collect/source.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"
#include "core/stack/stack.h"
#include "core/trust/book.h"
#include "core/udd/model.h"
#include "explorer/state/explore_start.h"
#include "work/files/simulation.h"
#include "work/files/texts.h"
#include "work/trust/table.h"

void
subject_forget_simulated(struct subject *x)
{
	if (x->simulated)
		simulation_free(x->simulated);
	free(x->simulated);
	x->simulated = NULL;
}

void
subject_clear(struct subject *x)
{
	str_split_free(x->argv);
	subject_forget_simulated(x);
	free(x->target);
	spec_free(x->spec);
	free(x->spec_file);
	free(x->probed);
	*x = (struct subject){0};
}

void
explore_start_free(struct explore_start *x)
{
	for (size_t i = 0; i < x->n_tables; i++)
		obs_table_free(x->table[i]);
	free(x->table);
	free(x->data_name);
	trust_table_free(x->repeated);
	trust_page_free(x->trust);
	subject_clear(&x->subject);
	analysis_options_free(&x->how);
	udd_free(x->model);
	network_free(x->network);
	for (size_t i = 0; i < x->n_stacks; i++) {
		stack_free(x->stack[i]);
		text_free(&x->stack_text[i]);
	}
	free(x->stack);
	free(x->stack_text);
	text_free(&x->network_text);
	bundle_free(&x->bundle);
}
