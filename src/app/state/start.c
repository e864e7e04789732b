#include "app/state/start.h"

#include <stdlib.h>

#include "app/files/texts.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"

void
explore_start_free(struct explore_start *x)
{
	for (size_t i = 0; i < x->n_tables; i++)
		obs_table_free(x->table[i]);
	free(x->table);
	free(x->data_name);
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
