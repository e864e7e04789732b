libhecate_a_SOURCES += \
	src/collect/events/ask_perf.c src/collect/events/ask_perf.h \
	src/collect/events/cpu_id.c src/collect/events/cpu_id.h \
	src/collect/events/folder.c src/collect/events/folder_metrics.c src/collect/events/folder.h \
	src/collect/events/format.c src/collect/events/format.h \
	src/collect/events/made_sysfs.c \
	src/collect/events/perf_cache.c \
	src/collect/events/perf_codes.c src/collect/events/perf_codes.h \
	src/collect/events/perf_json.c src/collect/events/perf_json.h \
	src/collect/events/perf_list.c src/collect/events/perf_list.h \
	src/collect/events/sysfs_events.c src/collect/events/sysfs_events.h
