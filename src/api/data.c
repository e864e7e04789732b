#include "hecate/data.h"

#include <stdlib.h>

#include "api/state.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/obs/obs.h"
#include "work/files/data.h"

static struct hecate_data *
data_with(struct obs_table *table)
{
	struct hecate_data *data = mem_new(sizeof *data);

	data->table = table;
	return data;
}

struct hecate_data *
hecate_data_load(const char *path, bool exact, char **message)
{
	struct err e = {0};
	struct obs_table *table = data_read(path, exact, &e);

	if (!table) {
		api_fail(message, &e);
		return NULL;
	}
	return data_with(table);
}

struct hecate_data *
hecate_data_new(size_t n_columns, const char *const *column)
{
	return data_with(obs_table_new(column, n_columns));
}

void
hecate_data_begin(struct hecate_data *data, const char *name, bool exact)
{
	struct obs *obs = obs_table_add(data->table, name, "");

	obs->exact = exact;
	obs->since_start = true;
}

bool
hecate_data_add_row(struct hecate_data *data, const int64_t *count, double time)
{
	if (data->table->n == 0)
		return false;
	for (size_t i = 0; i < data->table->n_columns; i++)
		if (count[i] < 0)
			return false;
	obs_add_row(data->table->obs[data->table->n - 1], count, NULL, time);
	return true;
}

void
hecate_data_free(struct hecate_data *data)
{
	if (!data)
		return;
	obs_table_free(data->table);
	free(data);
}

size_t
hecate_data_observations(const struct hecate_data *data)
{
	return data->table->n;
}

const char *
hecate_data_observation(const struct hecate_data *data, size_t i)
{
	return data->table->obs[i]->name;
}
