#include <stdlib.h>

#include "api/state.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/udd/model.h"
#include "text/diag.h"

bool
api_fail(char **message, const struct err *e)
{
	struct str text = {0};

	if (message) {
		err_text(e, &text);
		*message = str_take(&text);
	}
	return false;
}

bool
api_fail_at(char **message, const struct diags *d)
{
	struct str text = {0};

	if (message) {
		diags_print(d, "", &text);
		*message = str_take(&text);
	}
	return false;
}

bool
api_choose(const struct hecate_model *model, const struct hecate_choice *choice, struct fset *on, char **message)
{
	struct hecate_choice none = {0};
	struct err e = {0};

	if (!choice)
		choice = &none;
	return udd_choose(model->udd, choice->variant, choice->plus, choice->minus, on, &e) || api_fail(message, &e);
}

struct hecate_model *
hecate_model_load(const char *name, char **message)
{
	struct err e = {0};
	char *path = file_find_model(name, &e);
	struct hecate_model *model;
	struct udd_loader loader;
	struct diags d = {0};

	if (!path) {
		api_fail(message, &e);
		return NULL;
	}
	model = mem_new(sizeof *model);
	loader = bundle_disk_loader(&model->files);
	model->udd = model_read(path, &loader, &d);
	free(path);
	if (!model->udd) {
		api_fail_at(message, &d);
		hecate_model_free(model);
		model = NULL;
	}
	diags_free(&d);
	return model;
}

void
hecate_model_free(struct hecate_model *m)
{
	if (!m)
		return;
	udd_free(m->udd);
	bundle_free(&m->files);
	free(m);
}

size_t
hecate_model_counters(const struct hecate_model *m)
{
	return m->udd->n_counters;
}

const char *
hecate_model_counter(const struct hecate_model *m, size_t i)
{
	return m->udd->counter[i].name;
}

size_t
hecate_model_features(const struct hecate_model *m)
{
	return m->udd->n_features;
}

const char *
hecate_model_feature(const struct hecate_model *m, size_t i)
{
	return m->udd->feature[i].name;
}

void
hecate_free(void *p)
{
	free(p);
}
