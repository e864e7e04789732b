libhecate_a_SOURCES += \
	src/explorer/autosave/autosave.c src/explorer/autosave/autosave_open.c src/explorer/autosave/autosave.h \
	src/explorer/autosave/autosave_graph.c \
	src/explorer/autosave/autosave_read.c src/explorer/autosave/autosave_state.h \
	src/explorer/autosave/autosave_rows.c \
	src/explorer/autosave/autosave_tables.c \
	src/explorer/autosave/setting.c src/explorer/autosave/setting.h \
	src/explorer/autosave/setting_model.c \
	src/explorer/autosave/setting_timeline.c \
	src/explorer/autosave/setting_view.c
