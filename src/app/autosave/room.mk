libhecate_a_SOURCES += \
	src/app/autosave/autosave.c src/app/autosave/autosave.h \
	src/app/autosave/autosave_graph.c \
	src/app/autosave/autosave_timeline.c \
	src/app/autosave/autosave_rows.c \
	src/app/autosave/autosave_settings.c \
	src/app/autosave/autosave_tables.c
