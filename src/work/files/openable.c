#include "work/files/openable.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/files/files.h"
#include "work/files/recent.h"
#include "work/files/recording.h"

#define FOLDER_MOST 4096 /* entries of a folder that are looked at */
#define LESSON_BYTES ((size_t)1 << 20)
#define SNIFF_MOST 256   /* files without a known ending whose first bytes are read */
#define DATA_ENDINGS ".csv:.tsv:.txt:.json:.jsonl:.data:.dat:.perf:.sqlite3"
#define SESSION_ENDINGS ".hct:.hec:.hecate"

static const struct {
	const char *word, *title, *folders, *ending;
} kinds[OPENABLE_KINDS] = {
	[OPENABLE_SESSION] = {"session", "Recordings", NULL, SESSION_ENDINGS},
	[OPENABLE_DATA] = {"data", "Data", NULL, DATA_ENDINGS},
	[OPENABLE_MODEL] = {"model", "Models", "models", MODEL_ENDINGS},
	[OPENABLE_NETWORK] = {"network", "Networks", NETWORK_FOLDERS, ".net"},
	[OPENABLE_STACK] = {"stack", "Stacks", STACK_FOLDERS, ".stack"},
	[OPENABLE_MACHINE] = {"machine", "Simulated machines", MACHINE_FOLDERS, ".machine"},
	[OPENABLE_PROBE] = {"probe", "Probes", PROBE_FOLDERS, ".probe"},
	[OPENABLE_LESSON] = {"lesson", "Lessons", LESSON_FOLDERS, ".lesson"},
	[OPENABLE_RUNS] = {"table of runs", "Tables of runs", NULL, NULL},
	[OPENABLE_FOLDER] = {"folder", "Folders", NULL, NULL},
};

const char *
openable_word(enum openable_kind kind)
{
	return kinds[kind].word;
}

const char *
openable_title(enum openable_kind kind)
{
	return kinds[kind].title;
}

void
openables_free(struct openables *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->item[i].name);
		free(list->item[i].text);
		free(list->item[i].of);
		free(list->item[i].verdict);
		free(list->item[i].ran);
		free(list->item[i].when);
	}
	free(list->item);
	*list = (struct openables){0};
}

static struct openable *
add(struct openables *list, enum openable_kind kind, char *name)
{
	struct openable *item;

	mem_grow(&list->item, &list->cap, list->n + 1, sizeof *list->item);
	item = &list->item[list->n++];
	*item = (struct openable){.kind = kind, .name = name};
	return item;
}

struct openable *
openable_add(struct openables *list, enum openable_kind kind, const char *name)
{
	return add(list, kind, mem_str(name));
}

/* The number after "place" in the item `lesson`. Parsing the whole lesson would take too long for a list. */
static unsigned
place_of_lesson(const char *name)
{
	struct err e = {0};
	size_t n;
	char *path = file_find(name, LESSON_FOLDERS, ".lesson", &e);
	char *text = path ? file_read(path, LESSON_BYTES, &n, &e) : NULL;
	const char *item = text ? strstr(text, "\nlesson ") : NULL, *end = item ? strchr(item, ';') : NULL;
	const char *word = item ? strstr(item, " place ") : NULL;
	unsigned place = word && end && word < end ? (unsigned)strtoul(word + strlen(" place "), NULL, 10) : 0;

	free(text);
	free(path);
	return place;
}

void
openable_add_installed(struct openables *list)
{
	static const char *const table[] = {"static-benchmark"}; /* tables of runs in RUNS_FOLDERS */

	for (enum openable_kind kind = 0; kind < OPENABLE_KINDS; kind++) {
		char **name = kinds[kind].folders ? file_names(kinds[kind].folders, kinds[kind].ending) : NULL;

		for (size_t i = 0; name && name[i]; i++) {
			struct openable *item = add(list, kind, mem_str(name[i]));

			item->place = kind == OPENABLE_LESSON ? place_of_lesson(name[i]) : 0;
		}
		str_split_free(name);
	}
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		add(list, OPENABLE_RUNS, mem_str(table[i]));
}

char *
openable_expand(const char *path)
{
	const char *home = getenv("HOME");

	if (home && *home && path[0] == '~' && (path[1] == '/' || !path[1]))
		return str_format("%s%s", home, path + 1);
	return mem_str(path);
}

/* Says what a file is, by its ending, or else by its first bytes as long as *sniffs allows. OPENABLE_KINDS: nothing
 * that is opened. */
static enum openable_kind
kind_of(const char *path, const struct stat *st, size_t *sniffs)
{
	if (S_ISDIR(st->st_mode))
		return OPENABLE_FOLDER;
	if (!S_ISREG(st->st_mode))
		return OPENABLE_KINDS;
	for (enum openable_kind kind = OPENABLE_MODEL; kind < OPENABLE_KINDS; kind++)
		if (kinds[kind].ending && file_has_ending(path, kinds[kind].ending))
			return kind;
	if (file_has_ending(path, SESSION_ENDINGS) && st->st_size > 0)
		return OPENABLE_SESSION; /* a damaged one is listed, too */
	if (!*sniffs)
		return OPENABLE_KINDS;
	--*sniffs;
	return recording_is(path) ? OPENABLE_SESSION : OPENABLE_KINDS;
}

static bool
has_name(const struct openables *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->item[i].time && str_eq(list->item[i].name, name))
			return true;
	return false;
}

/* Adds the file at `path`, named `name`, if it is one that can be opened. Takes the name over. */
static struct openable *
add_file(struct openables *list, const char *path, char *name, size_t *sniffs)
{
	struct stat st;
	enum openable_kind kind = stat(path, &st) == 0 ? kind_of(path, &st, sniffs) : OPENABLE_KINDS;
	struct openable *item = NULL;

	if (kind != OPENABLE_KINDS && kind == OPENABLE_FOLDER && !str_ends(name, "/")) {
		char *folder = str_format("%s/", name);

		free(name);
		name = folder;
	}
	if (kind == OPENABLE_KINDS || has_name(list, name)) {
		free(name);
		return NULL;
	}
	item = add(list, kind, name);
	item->time = st.st_mtime > 0 ? st.st_mtime : 1;
	return item;
}

/* Adds what is in a folder. `typed`: the folder as it was typed, with its '/'. */
static void
add_folder(struct openables *list, const char *folder, const char *typed, bool hidden)
{
	DIR *d = opendir(*folder ? folder : ".");
	struct dirent *entry;
	size_t sniffs = SNIFF_MOST;

	for (size_t i = 0; d && i < FOLDER_MOST && (entry = readdir(d)); i++) {
		char *path;

		if (entry->d_name[0] == '.' && (!hidden || str_eq(entry->d_name, ".") || str_eq(entry->d_name, "..")))
			continue;
		path = str_format("%s%s", folder, entry->d_name);
		add_file(list, path, str_format("%s%s", typed, entry->d_name), &sniffs);
		free(path);
	}
	if (d)
		closedir(d);
}

/* A path as it is typed from here: within the current folder, or below the home folder, or as it is. */
static char *
short_path(const char *path, const char *here)
{
	const char *home = getenv("HOME");
	size_t n = here ? strlen(here) : 0, m = home ? strlen(home) : 0;

	if (n && strncmp(path, here, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/'))
		return mem_str(path + n + 1);
	if (m > 1 && strncmp(path, home, m) == 0 && path[m] == '/')
		return str_format("~%s", path + m);
	return mem_str(path);
}

void
openable_add_here(struct openables *list)
{
	char **recent = recent_read(), *here = getcwd(NULL, 0);
	size_t sniffs = SNIFF_MOST;

	for (size_t i = 0; recent[i]; i++) {
		struct openable *item = add_file(list, recent[i], short_path(recent[i], here), &sniffs);

		if (item)
			item->recent = i + 1;
	}
	add_folder(list, "", "", false);
	str_split_free(recent);
	free(here);
}

void
openable_add_typed(struct openables *list, const char *typed)
{
	const char *slash = strrchr(typed, '/');
	char *path = openable_expand(typed), *folder, *start;
	size_t sniffs = 1;

	if (slash) {
		start = mem_strn(typed, (size_t)(slash + 1 - typed));
		folder = openable_expand(start);
		add_folder(list, folder, start, slash[1] == '.');
		free(folder);
		free(start);
	}
	/* whatever it is, the user has named it */
	if (*typed && !str_ends(typed, "/") && access(path, R_OK) == 0 && !has_name(list, typed) &&
		!add_file(list, path, mem_str(typed), &sniffs) && !file_is_folder(path))
		add(list, OPENABLE_DATA, mem_str(typed))->time = 1;
	free(path);
}

static int
openable_compare(const void *a, const void *b)
{
	const struct openable *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return strcmp(x->name, y->name);
}

void
openable_sort(struct openables *list)
{
	if (list->n)
		qsort(list->item, list->n, sizeof *list->item, openable_compare);
}

/* --- what is meant by a few letters ------------------------------------------------------------------------------- */

enum { RANK_SAME, RANK_BEGINS, RANK_WORD, RANK_WITHIN, RANK_KIND, RANKS };

#define KIND_LETTERS 4 /* of "lesson", "probe" …, to list all of a kind */

/* How well the typed text fits a name; RANKS: not at all. */
static int
rank_of(const char *name, const char *typed)
{
	size_t n = strlen(typed);
	int rank = RANKS;

	if (n == 0)
		return RANK_BEGINS;
	if (strncasecmp(name, typed, n) == 0)
		return name[n] && !str_eq(name + n, "/") ? RANK_BEGINS : RANK_SAME;
	for (const char *at = name; (at = strcasestr(at, typed)); at++) {
		bool word = at == name || !isalnum((unsigned char)at[-1]);

		rank = word ? RANK_WORD : rank < RANK_WITHIN ? rank : RANK_WITHIN;
	}
	return rank;
}

struct candidate {
	size_t at;
	int rank;
	size_t recent; /* 1: the latest; SIZE_MAX: never opened */
	bool folder;
};

static int
candidates_compare(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->recent != y->recent)
		return x->recent < y->recent ? -1 : 1;
	if (x->folder != y->folder)
		return x->folder ? 1 : -1;
	return x->at < y->at ? -1 : 1;
}

size_t
openable_match(const struct openables *list, const char *typed, size_t *order)
{
	struct candidate *found = mem_new_array(list->n, sizeof *found);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct openable *item = &list->item[i];
		int rank = rank_of(item->name, typed);

		if (rank == RANKS && strlen(typed) >= KIND_LETTERS &&
			strncasecmp(openable_word(item->kind), typed, strlen(typed)) == 0)
			rank = RANK_KIND;
		if (rank < RANKS)
			found[n++] = (struct candidate){
				i, rank, item->recent ? item->recent : SIZE_MAX, item->kind == OPENABLE_FOLDER};
	}
	if (n)
		qsort(found, n, sizeof *found, candidates_compare);
	for (size_t i = 0; i < n; i++)
		order[i] = found[i].at;
	free(found);
	return n;
}

char *
openable_complete(const struct openables *list, const char *typed)
{
	size_t *order = mem_new_array(list->n, sizeof *order), n = openable_match(list, typed, order), length = 0;
	const char *first = NULL;
	char *text;

	for (size_t i = 0; i < n; i++) {
		const char *name = list->item[order[i]].name;
		size_t same = 0;

		if (strncasecmp(name, typed, strlen(typed)) != 0)
			continue;
		while (first && same < length && name[same] == first[same])
			same++;
		length = first ? same : strlen(name);
		first = first ? first : name;
	}
	if (n == 1) /* also if the letters are from its middle */
		text = mem_str(list->item[order[0]].name);
	else
		text = first && length > strlen(typed) ? mem_strn(first, length) : mem_str(typed);
	free(order);
	return text;
}
