libhecate_a_SOURCES += \
	src/app/autosave/autosave.c src/app/autosave/autosave.h \
	src/app/autosave/autosave_graph.c \
	src/app/autosave/autosave_rows.c \
	src/app/autosave/autosave_tables.c \
	src/app/autosave/setting.c src/app/autosave/setting.h \
	src/app/autosave/setting_model.c \
	src/app/autosave/setting_timeline.c \
	src/app/autosave/setting_view.c
