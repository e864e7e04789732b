/* show MODEL [KEY…] prints the explorer's screen after some keys, and what it would write into a session file; show
 * --runs prints the kinds of run. Patches of this folder use it to show what they add. */
#include <stdio.h>
#include <stdlib.h>

#include "../screens/stage.h"
#include "base/str.h"
#include "collect/store/session_table.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "work/run/run.h"

enum { COLUMNS = 120, ROWS = 40 };

static void
print_settings(const struct state *s)
{
	struct resume none = {0};
	struct session_table table;

	settings_write(s, &none, true, &table);
	for (size_t i = 0; i < table.n_rows; i++)
		printf("%s %s\n", session_table_cell(&table, i, 0), session_table_cell(&table, i, 1));
	session_table_clear(&table);
}

int
main(int argc, char **argv)
{
	struct grid *g;
	struct str text = {0};
	struct drawn drawn;
	struct state s;

	if (argc < 2) {
		fprintf(stderr, "usage: %s MODEL [KEY…], or --runs\n", argv[0]);
		return 2;
	}
	if (str_eq(argv[1], "--runs")) {
		for (size_t i = 0; i < run_n_kinds; i++)
			puts(run_kinds[i]->name);
		return 0;
	}
	g = grid_new(COLUMNS, ROWS, false);
	stage_open(&s, argv[1], NULL, NULL, false);
	stage_compute(&s);
	stage_look(&s, g, &drawn);
	for (int i = 2; i < argc; i++) {
		enum action a = action_for_key(argv[i], state_scope(&s));

		if (a == ACTION_none) {
			fprintf(stderr, "%s does nothing here\n", argv[i]);
			return 1;
		}
		state_act(&s, a);
		stage_look(&s, g, &drawn);
	}
	grid_text(g, &text);
	fputs(str_text(&text), stdout);
	print_settings(&s);
	str_free(&text);
	grid_free(g);
	state_free(&s);
	return 0;
}
