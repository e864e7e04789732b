libhecate_a_SOURCES += \
	src/collect/import/run_columns.c src/collect/import/run_columns.h src/collect/import/run_table.c src/collect/import/run_table.h \
	src/collect/import/csv_cells.c src/collect/import/csv_cells.h \
	src/collect/import/csv.c src/collect/import/csv.h src/collect/import/csv_reader.h \
	src/collect/import/csv_plain.c src/collect/import/csv_plain.h \
	src/collect/import/csv_columns.c src/collect/import/csv_roles.c src/collect/import/csv_words.c \
	src/collect/import/csv_row.c \
	src/collect/import/csv_window.c \
	src/collect/import/csv_sheet.c \
	src/collect/import/curve_csv.c src/collect/import/curve_csv.h \
	src/collect/import/decimal.c src/collect/import/decimal.h \
	src/collect/import/digits.h \
	src/collect/import/feed.c src/collect/import/feed.h \
	src/collect/import/gem5_line.c \
	src/collect/import/gem5_stats.c src/collect/import/gem5_stats.h \
	src/collect/import/import.c src/collect/import/import.h \
	src/collect/import/perf_clean.c src/collect/import/perf_clean.h \
	src/collect/import/perf_findings.c \
	src/collect/import/perf_record.c src/collect/import/perf_record.h \
	src/collect/import/perf_repeat.c src/collect/import/perf_repeat.h \
	src/collect/import/perf_sheet.c src/collect/import/perf_sheet.h \
	src/collect/import/perf_stat.c src/collect/import/perf_stat.h \
	src/collect/import/perf_stat_csv.c \
	src/collect/import/perf_stat_json.c \
	src/collect/import/perf_stat_text.c \
	src/collect/import/sniper_stack.c src/collect/import/sniper.h \
	src/collect/import/sniper_db_sqlite.c \
	src/collect/import/sniper_snapshots.c src/collect/import/sniper_snapshots.h \
	src/collect/import/sniper_stats.c \
	src/collect/import/sniper_text.c src/collect/import/sniper_text.h \
	src/collect/import/gem5_json.c src/collect/import/likwid.c src/collect/import/papi_json.c \
	src/collect/import/pcm_raw.c src/collect/import/simpleperf.c src/collect/import/sniper_out.c \
	src/collect/import/toplev.c src/collect/import/uprof.c \
	src/collect/import/tools.c src/collect/import/tools.h \
	src/collect/import/tool_text.c src/collect/import/tool_text.h
