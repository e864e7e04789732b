/* Tables of means with their spread, before and after a change. Two forms are read. The kernel's test robot writes
 *
 *     d000e073ca2a08ab 89359897983825dbfc08578e7ee
 *     ---------------- ---------------------------
 *              %stddev     %change         %stddev
 *                  \          |                \
 *       5318 ±  7%     +19.5%       6355        page-faults
 *
 * where the share is the standard deviation of the runs, cut to a whole number, and left out up to 2 % (lkp-tests,
 * lib/compare.rb, show_perf_change(); a number without decimals is cut, too). The number of runs stands in the table of
 * failures before it ("1:4", failures and runs), if there is one. Others write "NAME 5318 ± 0.4% 6355 ± 0.3%" or
 * "( +- 0.4% )", in any order; what the share is they rarely say, so it is taken for the standard error of the mean,
 * which is the larger of the two readings. Signs of quoted mail and bars of Markdown are skipped. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/diff/measure.h"
#include "work/diff/sides.h"

#define ROWS_MOST ((size_t)10000)
#define LINE_MOST 1024
#define WORDS_MOST 48
#define UNSHOWN 0.02 /* deviations up to this share are not printed */

struct published {
	struct side *side;
	bool robot;    /* below the head of a robot's table */
	bool failures; /* below the head of a table of failures */
	size_t tables, commits;
	size_t runs[2];
	char last[LINE_MOST]; /* the line before */
	char name[2][64];
};

/* "1,234", "1.145e+08" as a number, and half a unit of its last digit. */
static bool
published_number(const char *word, double *value, double *grain)
{
	char plain[64];
	const char *point, *exponent;
	size_t n = 0, decimals = 0;
	double power = 0;

	for (const char *p = word; *p; p++)
		if (*p != ',' && n + 1 < sizeof plain)
			plain[n++] = *p;
	plain[n] = '\0';
	if (!isdigit((unsigned char)plain[plain[0] == '-']) || !str_to_double(plain, value))
		return false;
	point = strchr(plain, '.');
	exponent = strpbrk(plain, "eE");
	if (point)
		decimals = strspn(point + 1, "0123456789");
	if (exponent)
		str_to_double(exponent[1] == '+' ? exponent + 2 : exponent + 1, &power);
	*grain = 0.5 * pow(10, power - (double)decimals);
	return true;
}

/* "18%" after "±": a share; the sign may be part of the word. */
static bool
published_share(const char *word, double *share)
{
	char number[32];
	size_t n = strspn(word, "0123456789.");

	if (!n || n >= sizeof number || word[n] != '%')
		return false;
	memcpy(number, word, n);
	number[n] = '\0';
	return str_to_double(number, share);
}

/* Cuts a line at blanks and bars, without signs of quoted mail and without brackets of their own. "±" becomes a word
 * of its own. */
static size_t
cut_line(char *line, const char *word[WORDS_MOST])
{
	size_t n = 0;
	char *p = line + strspn(line, " \t>");

	for (char *w = strtok_r(p, " \t|", &p); w && n < WORDS_MOST; w = strtok_r(NULL, " \t|", &p)) {
		size_t sign;

		w += *w == '(';
		if (!*w || str_eq(w, ")"))
			continue;
		sign = str_starts(w, "±") ? strlen("±") : str_starts(w, "+/-") ? 3 : str_starts(w, "+-") ? 2 : 0;

		if (sign) {
			word[n++] = "±";
			w += sign;
			if (!*w || n == WORDS_MOST)
				continue;
		}
		word[n++] = w;
	}
	return n;
}

/* One value at word[*at]: "5318", "5318 ± 7%". */
static bool
take_mean(const struct published *x, const char *const word[], size_t n, size_t *at, struct diff_stated *out)
{
	double share;

	*out = (struct diff_stated){.spread = NAN, .of_runs = x->robot};
	if (*at >= n || !published_number(word[*at], &out->mean, &out->grain))
		return false;
	++*at;
	if (*at + 1 < n && str_eq(word[*at], "±") && published_share(word[*at + 1], &share)) {
		*at += 2;
		/* the robot cuts, others round */
		out->spread = fabs(out->mean) * (x->robot ? share + 1 : share) / 100;
	} else if (x->robot) {
		out->spread = fabs(out->mean) * UNSHOWN;
	}
	if (x->robot && out->grain == 0.5)
		out->grain = 1;
	return true;
}

static bool
is_change(const char *word)
{
	double v, grain;

	return (*word == '+' || *word == '-') && isdigit((unsigned char)word[1]) &&
		(strchr(word, '%') || published_number(word + 1, &v, &grain));
}

/* A line of a table: its name stands before or after the values. */
static bool
take_line(struct published *x, const char *const word[], size_t n)
{
	struct diff_stated stated[2];
	struct str name = {0};
	size_t at = 0, named = 0;
	bool good;

	while (!x->robot && named + 1 < n && !str_eq(word[named + 1], "±"))
		named++;
	at = named;
	good = take_mean(x, word, n, &at, &stated[0]);
	if (good && at < n && is_change(word[at]))
		at++;
	good = good && take_mean(x, word, n, &at, &stated[1]) && (x->robot || !isnan(stated[1].spread));
	for (size_t more = 2; good && more < x->commits; more++) { /* further commits: change and value */
		struct diff_stated ignored;

		at += at < n && is_change(word[at]);
		good = take_mean(x, word, n, &at, &ignored);
	}
	for (size_t i = at; good && !x->robot && named && i < n; i++)
		good = is_change(word[i]) || !isdigit((unsigned char)*word[i]);
	for (size_t i = 0; good && i < named; i++)
		str_addf(&name, "%s%s", name.n ? " " : "", word[i]);
	for (size_t i = at; good && !named && i < n; i++)
		str_addf(&name, "%s%s", name.n ? " " : "", word[i]);
	if (name.n && name.s[name.n - 1] == ':')
		name.s[--name.n] = '\0';
	good = good && name.n && x->side[0].n < ROWS_MOST;
	for (int k = 0; good && k < 2; k++)
		side_add_stated(&x->side[k], str_text(&name), "", &stated[k]);
	str_free(&name);
	return good;
}

/* "1:4 -25% :4 NAME": failures and runs. */
static void
take_failures(struct published *x, const char *const word[], size_t n)
{
	size_t side = 0;
	double runs;

	for (size_t i = 0; i < n && side < 2; i++) {
		const char *colon = strchr(word[i], ':');

		if (colon && strspn(word[i], "0123456789") == (size_t)(colon - word[i]) &&
			str_to_double(colon + 1, &runs) && runs > 0 && runs < 1e6) {
			x->runs[side] = (size_t)runs > x->runs[side] ? (size_t)runs : x->runs[side];
			side++;
		}
	}
}

static void
published_line(struct published *x, const char *text, size_t n)
{
	char line[LINE_MOST];
	const char *word[WORDS_MOST];
	size_t words, length = n < sizeof line ? n : sizeof line - 1;
	const char *head;

	memcpy(line, text, length);
	line[length] = '\0';
	if ((head = strstr(line, "%stddev")) && strstr(head + 1, "%change")) {
		x->robot = x->tables++ == 0;
		x->failures = false;
		x->commits = 0;
		for (; head && x->robot; head = strstr(head + 1, "%stddev"))
			x->commits++;
	} else if (strstr(line, "fail:runs")) {
		x->failures = !x->tables;
	} else if (!x->tables && strstr(line, "------- -------")) {
		words = cut_line(x->last, word);
		for (size_t k = 0; k < 2 && k < words; k++)
			snprintf(x->name[k], sizeof x->name[k], "%s", word[k]);
	}
	memcpy(x->last, line, length + 1);
	words = cut_line(line, word);
	if (x->failures)
		take_failures(x, word, words);
	else if (x->robot || !x->tables)
		take_line(x, word, words);
}

/* The quantity that the mail is about comes first: "-11.7% regression of NAME on". */
static void
bring_forward(const char *text, struct side *side)
{
	static const char *const about[] = {"regression of ", "improvement of "};

	for (size_t k = 0; k < 2; k++) {
		const char *name = strstr(text, about[k]);
		size_t to = name
			? names_find(&side->names, name + strlen(about[k]), strcspn(name + strlen(about[k]), " \t\r\n"))
			: NAMES_NONE;

		if (to < side->n) {
			side->first = to;
			return;
		}
	}
}

bool
published_take(const char *path, const char *text, struct side side[2], struct recorded_diff *out, struct err *e)
{
	struct published *x = mem_new(sizeof *x);
	bool robot, good;

	x->side = side;
	for (const char *p = text, *end; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		published_line(x, p, (size_t)(end - p));
	}
	robot = x->tables > 0;
	good = side[0].n > 0;
	if (good && side[0].n == ROWS_MOST)
		err_set(e, "%s has more than %zu lines of means", path, ROWS_MOST);
	for (int k = 0; k < 2 && good; k++) {
		side[k].name = mem_str(*x->name[k] ? x->name[k] : k ? "after" : "before");
		for (size_t i = 0; i < side[k].n; i++)
			side[k].part[i].stated.runs = x->runs[k];
	}
	if (good && robot)
		bring_forward(text, side);
	if (good)
		recorded_diff_note(out,
			str_format(robot ? "%s: the shares are taken for deviations of runs, cut to whole numbers; "
					   "where none is printed, for 2 %%"
					 : "%s: the shares after the means are taken for their standard errors",
				path));
	if (good && (x->tables > 1 || x->commits > 2))
		recorded_diff_note(out,
			str_format("%s: only the first two columns of the first of %zu tables are compared", path,
				x->tables));
	free(x);
	return good;
}
