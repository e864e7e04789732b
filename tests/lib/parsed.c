#include "parsed.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "models.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/files.h"

static void
check_parsed(const void *parsed, struct diags *d)
{
	struct str messages = {0};

	diags_print(d, "", &messages);
	test_check(parsed != NULL, __FILE__, __LINE__, "%s", str_text(&messages));
	str_free(&messages);
	diags_free(d);
}

struct udd_model *
parsed_model(const char *text)
{
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, strlen(text), &d);

	check_parsed(m, &d);
	return m;
}

struct network *
parsed_network(const char *name, const char *text)
{
	struct diags d = {0};
	struct network *n = network_parse(mem_str(name), mem_str(text), strlen(text), &d);

	check_parsed(n, &d);
	return n;
}

struct stack *
parsed_stack(const char *name, const char *text)
{
	struct diags d = {0};
	struct stack *s = stack_parse(mem_str(name), mem_str(text), strlen(text), &d);

	check_parsed(s, &d);
	return s;
}

struct udd_model *
installed_model(const char *name)
{
	struct err e = {0};
	size_t n = 0;
	char *path = file_find(name, "models", ".udd", &e), *text = path ? file_read(path, UDD_FILE_MAX, &n, &e) : NULL;
	struct udd_model *m = text ? parsed_model(text) : NULL;

	test_check(text != NULL, __FILE__, __LINE__, "%s: %s", name, e.what);
	free(path);
	free(text);
	return m;
}
