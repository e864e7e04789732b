libhecate_a_SOURCES += \
	src/collect/proc/cache_file.c src/collect/proc/cache_file.h \
	src/collect/proc/counters.c src/collect/proc/counters.h \
	src/collect/proc/files.c src/collect/proc/files.h \
	src/collect/proc/names.c src/collect/proc/names.h \
	src/collect/proc/taskstats.c src/collect/proc/taskstats.h \
	src/collect/proc/schedstat.c src/collect/proc/schedstat.h \
	src/collect/proc/tasks.c src/collect/proc/tasks.h \
	src/collect/proc/tree.c src/collect/proc/tree.h \
	src/collect/proc/tree_io.c
