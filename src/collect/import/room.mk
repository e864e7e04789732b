libhecate_a_SOURCES += \
	src/collect/import/cells.c src/collect/import/cells.h \
	src/collect/import/csv.c src/collect/import/csv.h \
	src/collect/import/decimal.c src/collect/import/decimal.h \
	src/collect/import/import.c src/collect/import/import.h
