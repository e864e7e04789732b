libhecate_a_SOURCES += \
	src/base/budget.c src/base/budget.h \
	src/base/caps.c src/base/caps.h \
	src/base/checksum.c src/base/checksum.h \
	src/base/clock.c src/base/clock.h \
	src/base/err.c src/base/err.h \
	src/base/fuzzy.c src/base/fuzzy.h \
	src/base/held_file.c src/base/held_file.h \
	src/base/int128.h \
	src/base/journal.c src/base/journal.h \
	src/base/json.c src/base/json.h src/base/library.h \
	src/base/log.c src/base/log.h \
	src/base/mem.c src/base/mem.h \
	src/base/names.c src/base/names.h \
	src/base/near.c src/base/near.h \
	src/base/number.c src/base/number.h \
	src/base/number_list.c src/base/number_list.h \
	src/base/panic.c src/base/panic.h \
	src/base/parallel.c src/base/parallel.h \
	src/base/pipe.c src/base/pipe.h \
	src/base/random.h \
	src/base/shell.c src/base/shell.h \
	src/base/sort.h \
	src/base/str.c src/base/str.h \
	src/base/tid_table.c src/base/tid_table.h \
	src/base/utf8.c src/base/utf8.h \
	src/base/xml.c src/base/xml.h
