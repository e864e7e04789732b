/* Cells as bytes. A recorded table is read as a whole once and in parts now and then, so its cells need not stay in
 * memory as numbers: whole counts take one to three bytes, and counters of one set have equal shares of time. The cells
 * become far (core/obs/rows.h), and come back bit for bit. */
#ifndef CORE_OBS_PACKED_H
#define CORE_OBS_PACKED_H

struct obs_table;

/* Packs the observations of a table to which no rows will be added. A table whose cells are far already stays as it is.
 */
void obs_table_pack(struct obs_table *);

#endif
