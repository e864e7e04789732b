libhecate_a_SOURCES += \
	src/draw/view/bar_chart.c src/draw/view/bar_chart.h \
	src/draw/view/view.c src/draw/view/view.h \
	src/draw/view/view_counters.c src/draw/view/view_counters.h \
	src/draw/view/view_history.c src/draw/view/view_history.h \
	src/draw/view/view_lesson.c src/draw/view/view_lesson.h src/draw/view/view_list.c src/draw/view/view_list.h \
	src/draw/view/view_network.c src/draw/view/view_network.h \
	src/draw/view/view_page.c src/draw/view/view_page.h \
	src/draw/view/view_parts.c src/draw/view/view_parts.h \
	src/draw/view/view_relation.c src/draw/view/view_relation.h \
	src/draw/view/view_table.c src/draw/view/view_table.h \
	src/draw/view/view_timeline.c src/draw/view/view_timeline.h \
	src/draw/view/view_trust.c src/draw/view/view_trust.h
include src/draw/view/constraints/room.mk
include src/draw/view/diff/room.mk
include src/draw/view/events/room.mk
include src/draw/view/geometry/room.mk
include src/draw/view/models/room.mk
include src/draw/view/observations/room.mk
include src/draw/view/paths/room.mk
include src/draw/view/popups/room.mk
include src/draw/view/phases/room.mk
include src/draw/view/probes/room.mk
include src/draw/view/queues/room.mk
include src/draw/view/stalls/room.mk
include src/draw/view/start/room.mk
