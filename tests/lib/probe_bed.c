#include "probe_bed.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "sim/probe_run.h"
#include "test.h"

struct sim_machine *
bed_core(const char *changes)
{
	unsigned long n;
	char *text = test_read("../models/machines/core.machine", &n);
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("core", text, n, changes, &d);

	test_check(m != NULL, __FILE__, __LINE__, "%s: %s", changes ? changes : "", d.n ? d.item[0].text : "refused");
	diags_free(&d);
	free(text);
	return m;
}

struct probe *
bed_parse(const char *text, struct diags *d)
{
	*d = (struct diags){0};
	return probe_parse(str_format("t.probe"), str_format("%s", text), strlen(text), d);
}

struct probe *
bed_probe(const char *name)
{
	unsigned long n;
	char *path = str_format("../models/probes/%s.probe", name), *text = test_read(path, &n);
	struct diags d = {0};
	struct probe *p = probe_parse(path, text, n, &d);

	test_check(p != NULL, __FILE__, __LINE__, "%s: %s", name, d.n ? d.item[0].text : "refused without a reason");
	diags_free(&d);
	return p;
}

struct probe_answer
bed_answer_on(const struct probe *p, const struct sim_machine *m, sim_plants plants)
{
	struct curve c = {0};
	struct knees *k;
	struct probe_answer a;

	sim_probe_run(m, plants, p, UINT64_MAX, NULL, NULL, &c);
	k = knees_find(&c);
	a = probe_answer_of(p, k);
	knees_free(k);
	curve_free(&c);
	return a;
}

struct probe_answer
bed_answer(const char *name, const char *changes, sim_plants plants)
{
	struct sim_machine *m = bed_core(changes);
	struct probe *p = bed_probe(name);
	struct probe_answer a = {0};

	if (m && p)
		a = bed_answer_on(p, m, m->has | plants);
	probe_free(p);
	sim_machine_free(m);
	return a;
}
