/* Records described as rows: what was sent comes back, broken messages do no harm and leave nothing behind, and JSON
 * and its schema have what the rows say. */
#include "shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "test.h"

enum colour { RED, GREEN, BLUE };
static const char *const COLOURS[] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};

struct leaf {
	char *word;
	double weight;
};

struct tree {
	bool dead;
	int height;
	unsigned short mark;
	uint64_t number;
	size_t first, counter;
	double share;
	char *name, *none;
	enum colour colour, colours[2];
	struct leaf best, *leaf, *lost;
	size_t n_leaves;
	int64_t *coef;
	size_t n_coefs;
	bool *lit;
	size_t n_lit;
	struct spot {
		double x, y;
	} *spot;
	size_t n_spots;
	struct leaf *one, *no;
	size_t n_one, n_no;
	char **text;
	size_t n_texts;
	double here; /* not sent */
};

static const struct shape_row LEAF_ROWS[] = {
	{SHAPE_FIELD(struct leaf, word), .key = "word", .help = "what is written on it"},
	{SHAPE_FIELD(struct leaf, weight), .key = "weight", .unit = "g"},
};
static const struct shape LEAF = SHAPE(struct leaf, LEAF_ROWS);

static bool
is_alive(const void *record)
{
	return !((const struct tree *)record)->dead;
}

static const struct shape_row ROWS[] = {
	{SHAPE_FIELD(struct tree, dead), .key = "dead"},
	{SHAPE_FIELD(struct tree, height), .key = "height"},
	{SHAPE_RAW(struct tree, mark)},
	{SHAPE_FIELD(struct tree, number)},
	{SHAPE_FIELD(struct tree, first), .key = "first", .as = SHAPE_FROM_ONE},
	{SHAPE_FIELD(struct tree, counter), .key = "counter", .as = SHAPE_COUNTER},
	{SHAPE_FIELD(struct tree, share), .key = "share"},
	{SHAPE_FIELD(struct tree, name), .key = "name"},
	{SHAPE_FIELD(struct tree, none), .key = "none"},
	{SHAPE_ONE_OF(struct tree, colour, COLOURS), .key = "colour"},
	{SHAPE_ONE_OF(struct tree, colours[1], COLOURS), .key = "second", .shown = is_alive},
	{SHAPE_FIELD(struct tree, best), .key = "best", .of = &LEAF},
	{SHAPE_ARRAY(struct tree, leaf, n_leaves), .key = "leaves", .of = &LEAF},
	{SHAPE_OWN(struct tree, lost), .key = "lost", .of = &LEAF},
	{SHAPE_ARRAY(struct tree, coef, n_coefs), .key = "coef", .as = SHAPE_COEFFICIENTS},
	{SHAPE_ARRAY(struct tree, lit, n_lit), .key = "lit"},
	{SHAPE_RAW_ARRAY(struct tree, spot, n_spots)},
	{SHAPE_ARRAY(struct tree, one, n_one), .key = "one", .as = SHAPE_FIRST, .of = &LEAF},
	{SHAPE_ARRAY(struct tree, no, n_no), .key = "no", .as = SHAPE_FIRST, .of = &LEAF},
	{SHAPE_ARRAY(struct tree, text, n_texts), .key = "texts"},
	{SHAPE_FIELD(struct tree, here), .local = true, .key = "here"},
	{.type = SHAPE_ZERO, .key = "zero"},
	{.type = SHAPE_HAND, .json = "object|null", .key = "by_hand"},
	{.type = SHAPE_HAND, .json = "integer", .key = "absent", .optional = true},
};
static const struct shape TREE = SHAPE(struct tree, ROWS);

/* A document that has more than the record. */
static const char *const LIGHT[] = {"on", "off"};
static const struct shape_row DOCUMENT_ROWS[] = {
	{.type = SHAPE_ROWS, .of = &TREE},
	{.type = SHAPE_HAND, .key = "pairs", .json = "array(array(integer|string))|null"},
	{.type = SHAPE_HAND, .key = "map", .json = "object(number)"},
	{.type = SHAPE_HAND, .key = "by_name", .json = "array(object)|null", .of = &LEAF},
	{.type = SHAPE_HAND, .key = "light", .json = "string|null", .word = LIGHT, .n_words = 2},
	{.type = SHAPE_HAND, .key = "low high", .json = "number"},
	{.type = SHAPE_ROWS, .of = &LEAF},
};
static const struct shape DOCUMENT = SHAPE(struct tree, DOCUMENT_ROWS);

static struct leaf *
leaves(size_t n)
{
	struct leaf *out = mem_new_array(n, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = (struct leaf){mem_str(i ? "dry" : "green"), 0.5 * (double)i};
	return out;
}

static struct tree *
tree_new(void)
{
	static const int64_t coef[] = {3, 0, -4};
	struct tree *t = mem_new(sizeof *t);

	*t = (struct tree){.height = -7, .mark = 999, .number = UINT64_MAX, .first = 4, .counter = 1, .share = NAN,
		.name = mem_str("oak"), .colour = BLUE, .colours = {RED, GREEN}, .best = {mem_str("best"), 2},
		.leaf = leaves(3), .n_leaves = 3, .lost = leaves(1), .coef = mem_copy(coef, sizeof coef), .n_coefs = 3,
		.lit = mem_new_array(2, sizeof(bool)), .n_lit = 2, .one = leaves(1), .n_one = 1,
		.text = mem_new_array(2, sizeof(char *)), .n_texts = 2, .here = 1};
	t->spot = mem_new_array(2, sizeof *t->spot);
	t->spot[1].y = 3;
	t->n_spots = 2;
	t->lit[1] = true;
	t->text[0] = mem_str("");
	return t;
}

static struct wire
sent(struct tree *t)
{
	struct wire w = {0};

	shape_wire(&w, &TREE, t);
	w.reading = true;
	return w;
}

static const char *
counter_name(const void *ctx, size_t i)
{
	return ((const char *const *)ctx)[i];
}

static void
write_by_hand(const void *ctx, struct json_writer *w, const char *key, const void *record)
{
	(void)ctx;
	if (strcmp(key, "by_hand") == 0)
		json_str(w, key, ((const struct tree *)record)->name);
}

/* Without spaces. */
static char *
json_of(const struct tree *t)
{
	static const char *const counter[] = {"a", "b", "c"};
	const struct shape_names names = {.counter = counter_name, .by_hand = write_by_hand, .ctx = counter};
	struct str out = {0};
	struct json_writer w = {.out = &out};
	char *text, *to;

	shape_json(&w, NULL, &TREE, t, &names);
	text = to = str_take(&out);
	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
	*to = '\0';
	return text;
}

#define LIVING \
	"{\"dead\":false,\"height\":-7,\"first\":5,\"counter\":\"b\",\"share\":null,\"name\":\"oak\",\"none\":null," \
	"\"colour\":\"blue\",\"second\":\"green\",\"best\":{\"word\":\"best\",\"weight\":2}," \
	"\"leaves\":[{\"word\":\"green\",\"weight\":0},{\"word\":\"dry\",\"weight\":0.5}," \
	"{\"word\":\"dry\",\"weight\":1}]," \
	"\"lost\":{\"word\":\"green\",\"weight\":0},\"coef\":{\"a\":3,\"c\":-4},\"lit\":[false,true]," \
	"\"one\":{\"word\":\"green\",\"weight\":0},\"no\":null,\"texts\":[\"\",null],\"here\":1,\"zero\":0," \
	"\"by_hand\":\"oak\"}"

static void
json(void)
{
	struct tree *t = tree_new();
	char *text = json_of(t);

	CHECK_STR(text, LIVING);
	free(text);
	t->dead = true;
	shape_free(&LEAF, t->lost);
	t->lost = NULL;
	text = json_of(t);
	CHECK(strstr(text, "\"second\":null"));
	CHECK(strstr(text, "\"lost\":null"));
	free(text);
	shape_free(&TREE, t);
}

static void
there_and_back(void)
{
	struct tree *t = tree_new(), *back = mem_new(sizeof *back);
	struct wire w = sent(t);
	char *text;

	shape_wire(&w, &TREE, back);
	CHECK(!w.bad);
	CHECK_INT(w.at, w.n);
	CHECK_INT(back->mark, 999);
	CHECK(back->number == UINT64_MAX);
	CHECK(back->n_spots == 2 && back->spot[1].y == 3 && back->spot[0].x == 0);
	CHECK(back->here == 0);
	back->here = 1;
	text = json_of(back);
	CHECK_STR(text, LIVING);
	free(text);
	wire_free(&w);
	shape_free(&TREE, t);
	shape_free(&TREE, back);
	shape_free(&TREE, NULL);
}

/* A message that ends early is refused, and what was read of it can be freed. */
static void
cut_short(void)
{
	struct tree *t = tree_new();
	struct wire whole = sent(t);

	for (size_t n = 0; n < whole.n; n++) {
		struct wire w = {.reading = true, .data = mem_copy(whole.data, n), .n = n};
		struct tree *back = mem_new(sizeof *back);

		test_label("%zu of %zu bytes", n, whole.n);
		shape_wire(&w, &TREE, back);
		CHECK(w.bad);
		shape_free(&TREE, back);
		wire_free(&w);
	}
	wire_free(&whole);
	shape_free(&TREE, t);
}

/* Any bytes: a record comes out that can be written and freed, or the message is refused. */
static void
changed(void)
{
	struct tree *t = tree_new();
	struct wire whole = sent(t);
	uint64_t seed = 24;
	unsigned refused = 0, rounds = test_rounds(5000, 500000);

	for (unsigned k = 0; k < rounds; k++) {
		struct wire w = {.reading = true, .data = mem_copy(whole.data, whole.n), .n = whole.n};
		struct tree *back = mem_new(sizeof *back);

		for (uint64_t n = 1 + test_random(&seed) % 3; n > 0; n--)
			w.data[test_random(&seed) % w.n] = (unsigned char)test_random(&seed);
		shape_wire(&w, &TREE, back);
		back->counter %= 3;
		if (!w.bad && back->n_coefs <= 3)
			free(json_of(back));
		refused += w.bad;
		shape_free(&TREE, back);
		wire_free(&w);
	}
	CHECK(refused > rounds / 10 && refused < rounds);
	wire_free(&whole);
	shape_free(&TREE, t);
}

/* A number that stands for no word. */
static void
no_such_word(void)
{
	struct tree *t = tree_new(), *back = mem_new(sizeof *back);
	struct wire w;

	t->colour = (enum colour)3;
	w = sent(t);
	shape_wire(&w, &TREE, back);
	CHECK(w.bad);
	CHECK_INT(back->colour, RED);
	wire_free(&w);
	shape_free(&TREE, t);
	shape_free(&TREE, back);
}

static const char *
type_of(const struct json *schema, const char *key, const char *what)
{
	const struct json *row = json_get(json_get(schema, "properties"), key), *type = json_get(row, what);

	return type && type->first ? type->first->text : type ? type->text : NULL;
}

/* The types of a value, with spaces between them. */
static const char *
type_list(const struct json *value)
{
	static char text[64];
	const struct json *type = json_get(value, "type");

	*text = '\0';
	for (type = type ? type->first : NULL; type; type = type->next)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "", type->text);
	return text;
}

static void
schema(void)
{
	struct str out = {0};
	struct json_writer w = {.out = &out};
	struct json *s;
	const struct json *row, *properties;
	struct err e;

	shape_schema(&w, &DOCUMENT, "a tree");
	s = json_parse(str_text(&out), out.n, &e);
	if (!CHECK(s))
		return;
	CHECK_STR(json_get(s, "title")->text, "a tree");
	CHECK_STR(type_of(s, "dead", "type"), "boolean");
	CHECK_STR(type_of(s, "height", "type"), "integer");
	CHECK_STR(type_of(s, "counter", "type"), "string");
	CHECK_STR(type_of(s, "coef", "type"), "object");
	CHECK_STR(type_of(s, "texts", "type"), "array");
	CHECK_STR(type_of(s, "by_hand", "type"), "object");
	CHECK_STR(type_of(s, "colour", "enum"), "red");
	CHECK(!json_get(json_get(s, "properties"), "number"));
	CHECK_INT(json_get(s, "required")->n, 20 + 8);
	row = json_get(json_get(json_get(s, "properties"), "leaves"), "items");
	CHECK_STR(type_of(row, "word", "description"), "what is written on it");
	CHECK_STR(type_of(row, "weight", "unit"), "g");
	row = json_get(json_get(s, "properties"), "lost");
	CHECK_STR(type_of(row, "word", "type"), "string");
	CHECK_STR(type_list(row), "object null");
	properties = json_get(s, "properties");
	CHECK_STR(type_list(json_get(properties, "pairs")), "array null");
	row = json_get(json_get(properties, "pairs"), "items");
	CHECK_STR(type_list(row), "array");
	CHECK_STR(type_list(json_get(row, "items")), "integer string");
	CHECK_STR(type_list(json_get(json_get(properties, "map"), "additionalProperties")), "number");
	row = json_get(json_get(properties, "by_name"), "items");
	CHECK_STR(type_of(row, "weight", "unit"), "g");
	row = json_get(json_get(properties, "light"), "enum");
	CHECK(row && row->n == 3 && row->first->next->next->kind == JSON_NULL);
	CHECK(json_get(properties, "low") && json_get(properties, "high") && !json_get(properties, "low high"));
	CHECK(json_get(properties, "word"));
	row = json_get(json_get(json_get(s, "properties"), "second"), "enum");
	CHECK(row && row->n == 4 && row->first->next->next->next->kind == JSON_NULL);
	json_free(s);
	str_free(&out);
}

TEST_MAIN(CASE(json), CASE(there_and_back), CASE(cut_short), CASE(changed), CASE(no_such_word), CASE(schema))
