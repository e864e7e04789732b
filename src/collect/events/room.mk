libhecate_a_SOURCES += \
	src/collect/events/ask_perf.c src/collect/events/ask_perf.h \
	src/collect/events/made_sysfs.c src/collect/events/made_sysfs.h \
	src/collect/events/perf_json.c src/collect/events/perf_json.h \
	src/collect/events/perf_list.c src/collect/events/perf_list.h
