#include "cli/tree_args.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/reading.h"
#include "work/files/files.h"
#include "work/timeline/tree_choice.h"

char **
tree_args_family(const char *arg)
{
	char *path = file_is_path(arg) ? mem_str(arg) : file_find(arg, STACK_FOLDERS, ".stack", NULL), **trees;
	bool known = path != NULL;

	free(path);
	if (known)
		return NULL;
	trees = trees_of_family(arg);
	if (trees[0])
		return trees;
	str_split_free(trees);
	return NULL;
}

/* Without data nothing chooses. */
static char *
tree_args_refuse(const char *family)
{
	char **trees = trees_of_family(family);
	struct str names = {0};
	struct err e = {0};

	for (size_t i = 0; trees[i]; i++)
		str_addf(&names, "%s%s", i ? ", " : "", trees[i]);
	err_set(&e, "%s is chosen by the events of recorded data, and there are none", family);
	shell_hint(&e, "give data, or name the tree to be counted here: %s", str_text(&names));
	print_failed(&e);
	str_free(&names);
	str_split_free(trees);
	return NULL;
}

char *
tree_args_choose(const struct options *options, size_t first, struct obs_table **table)
{
	const char *family = options->arg[first - 1];
	size_t n = options->n_args - first;
	struct str note = {0};
	struct err e = {0};
	bool good = true;
	char *name = NULL;

	if (!n)
		return tree_args_refuse(family);
	for (size_t i = 0; i < n && good; i++)
		good = (table[i] = reading_open(options, options->arg[first + i])) != NULL;
	if (good) {
		name = tree_choose(family, table, n, &note, &e);
		if (!name)
			print_failed(&e);
		else if (note.n && !options->quiet)
			log_line(NULL, "%s; taken: %s", str_text(&note), name);
	}
	str_free(&note);
	return name;
}
