libhecate_a_SOURCES += \
	src/app/keep/keep.c src/app/keep/keep.h \
	src/app/keep/keep_graph.c \
	src/app/keep/keep_profile.c \
	src/app/keep/keep_rows.c \
	src/app/keep/keep_settings.c \
	src/app/keep/keep_tables.c
