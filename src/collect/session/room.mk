libhecate_a_SOURCES += \
	src/collect/session/session_cells.c src/collect/session/session_cells.h \
	src/collect/session/session_change_sqlite.c src/collect/session/session_change.h \
	src/collect/session/session_file_sqlite.c src/collect/session/session_file.h src/collect/session/session_store.h \
	src/collect/session/session_guard.h src/collect/session/session_guard_sqlite.c \
	src/collect/session/session_model_sqlite.c \
	src/collect/session/session_far_sqlite.c \
	src/collect/session/session_read_sqlite.c src/collect/session/session_reader.h \
	src/collect/session/session_schema.c src/collect/session/session_schema.h \
	src/collect/session/session_sheet_sqlite.c src/collect/session/session_sheet.h \
	src/collect/session/session_write_sqlite.c
