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
#include "work/diff/contest.h"
#include "work/lesson/answers.h"
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
explore_start_free(struct explore_start *start)
{
	for (size_t i = 0; i < start->n_tables; i++)
		obs_table_free(start->table[i]);
	free(start->table);
	free(start->data_name);
	free(start->look.usual_theme);
	trust_table_free(start->repeated);
	trust_page_free(start->trust);
	contest_free(start->contest);
	subject_clear(&start->subject);
	analysis_options_free(&start->how);
	udd_free(start->model);
	network_free(start->network);
	for (size_t i = 0; i < start->n_stacks; i++) {
		stack_free(start->stack[i]);
		text_free(&start->stack_text[i]);
	}
	free(start->stack);
	free(start->stack_text);
	text_free(&start->network_text);
	bundle_free(&start->bundle);
}

void
explore_lesson_free(struct explore_lesson *lesson)
{
	free(lesson->next);
	lesson_answers_free(lesson->answers);
	lesson_free(lesson->lesson);
	*lesson = (struct explore_lesson){0};
}
