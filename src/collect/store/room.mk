libhecate_a_SOURCES += \
	src/collect/store/session_cells.c src/collect/store/session_cells.h \
	src/collect/store/session_change_sqlite.c src/collect/store/session_change.h \
	src/collect/store/session_file_sqlite.c src/collect/store/session_file.h src/collect/store/session_store.h src/collect/store/session_store_sqlite.c \
	src/collect/store/session_guard.h src/collect/store/session_guard_sqlite.c \
	src/collect/store/session_kept_sqlite.c \
	src/collect/store/session_model_sqlite.c \
	src/collect/store/session_far_sqlite.c \
	src/collect/store/session_read_sqlite.c src/collect/store/session_reader.h \
	src/collect/store/session_records.h src/collect/store/session_records_sqlite.c \
	src/collect/store/session_schema.c src/collect/store/session_schema.h \
	src/collect/store/session_summary_sqlite.c src/collect/store/session_summary.h \
	src/collect/store/session_table_sqlite.c src/collect/store/session_table.h \
	src/collect/store/session_truth_sqlite.c \
	src/collect/store/session_write_sqlite.c \
	src/collect/store/session_writer_sqlite.c src/collect/store/session_writer.h
