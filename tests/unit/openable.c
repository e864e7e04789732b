/* What Home and the prompt list (work/files/openable.h), and the files opened recently (work/files/recent.h). */
#include "work/files/openable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "test.h"
#include "work/files/recent.h"

static char came_from[4096], folder[48];

static void
enter(void)
{
	strcpy(folder, "/tmp/hecate-openable-XXXXXX");
	CHECK(getcwd(came_from, sizeof came_from) && mkdtemp(folder) && chdir(folder) == 0);
	setenv("XDG_STATE_HOME", folder, 1);
}

static void
leave(void)
{
	char *remove = str_format("rm -rf %s", folder);

	CHECK(chdir(came_from) == 0 && system(remove) == 0);
	free(remove);
}

static bool
write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	bool good = f && fputs(text, f) >= 0;

	return CHECK(f && fclose(f) == 0 && good);
}

static char no_text[] = "";
static const struct openable none = {
	.kind = OPENABLE_KINDS, .name = no_text, .text = no_text, .when = no_text};

static const struct openable *
named(const struct openables *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->item[i].name, name))
			return &list->item[i];
	return &none;
}

static void
files_of_a_folder(void)
{
	struct openables list = {0};
	const struct openable *torn;

	enter();
	CHECK(write_file("mine.udd", "model mine \"of mine\"; counter a; path p { count a; }"));
	CHECK(write_file("perf.csv", "a\n1\n") && write_file("torn.hct", "torn") && write_file("notes", "nothing"));
	openable_add_here(&list);
	openable_add_installed(&list);
	openable_sort(&list);
	CHECK_INT(named(&list, "mine.udd")->kind, OPENABLE_MODEL);
	CHECK_INT(named(&list, "perf.csv")->kind, OPENABLE_DATA);
	CHECK(named(&list, "notes") == &none);
	CHECK_INT(named(&list, "linux-page-faults")->kind, OPENABLE_MODEL);
	CHECK_INT(named(&list, "linux-vm")->kind, OPENABLE_NETWORK);
	CHECK_INT(named(&list, "core")->kind, OPENABLE_MACHINE);
	for (size_t i = 0; i < list.n; i++)
		if (list.item[i].time)
			openable_describe(&list.item[i]);
	CHECK_STR(named(&list, "mine.udd")->text, "of mine");
	torn = named(&list, "torn.hct");
	CHECK(torn->kind == OPENABLE_SESSION && torn->damaged && strstr(torn->text, "not a session file"));
	CHECK(strstr(torn->when, "today"));
	openables_free(&list);
	leave();
}

static void
a_few_letters(void)
{
	struct openables list = {0};
	size_t order[1024], n;
	char *text;

	enter();
	CHECK(write_file("core.csv", "a\n1\n"));
	openable_add_here(&list);
	openable_add_installed(&list);
	openable_sort(&list);
	if (CHECK(list.n < 1024)) {
		n = openable_match(&list, "lin", order);
		CHECK(n >= 2 && str_starts(list.item[order[0]].name, "linux-"));
		n = openable_match(&list, "core", order);
		CHECK(n >= 2);
		CHECK_STR(list.item[order[0]].name, "core"); /* the very name comes first */
		n = openable_match(&list, "lesson", order);
		CHECK(n >= 10);
		for (size_t i = 0; i < n; i++)
			CHECK_INT(list.item[order[i]].kind, OPENABLE_LESSON);
		CHECK_STR(list.item[order[0]].name, "page-faults"); /* by their places */
		CHECK_STR(list.item[order[9]].name, "path-map");
	}
	text = openable_complete(&list, "lin");
	CHECK_STR(text, "linux-");
	free(text);
	text = openable_complete(&list, "x-page-f");
	CHECK_STR(text, "linux-page-faults");
	free(text);
	openables_free(&list);
	leave();
}

static void
recent_files(void)
{
	char **was, name[16];

	enter();
	for (int i = 0; i < RECENT_MOST + 5; i++) {
		snprintf(name, sizeof name, "f%d", i);
		CHECK(write_file(name, ""));
		recent_add(name);
	}
	recent_add("f10");
	was = recent_read();
	CHECK(was[0] && str_ends(was[0], "/f10") && str_ends(was[1], "/f54"));
	for (int n = 0; n <= RECENT_MOST; n++)
		CHECK((was[n] != NULL) == (n < RECENT_MOST));
	str_split_free(was);
	unlink("f10"); /* what is gone drops out */
	was = recent_read();
	CHECK(was[0] && str_ends(was[0], "/f54"));
	str_split_free(was);
	setenv("XDG_STATE_HOME", "/dev/null/none", 1); /* where nothing can be written */
	recent_add("f1");
	was = recent_read();
	CHECK(!was[0]);
	str_split_free(was);
	leave();
}

TEST_MAIN(CASE(files_of_a_folder), CASE(a_few_letters), CASE(recent_files))
