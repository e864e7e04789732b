libhecate_a_SOURCES += \
	src/work/sweep/crew.c src/work/sweep/crew.h \
	src/work/sweep/kept_cells.c src/work/sweep/kept_cells.h \
	src/work/sweep/ranks.h src/work/sweep/ranks_mpi.c \
	src/work/sweep/sweep.c src/work/sweep/sweep.h \
	src/work/sweep/sweep_cell.c src/work/sweep/sweep_cell.h \
	src/work/sweep/sweep_part.c src/work/sweep/sweep_part.h
