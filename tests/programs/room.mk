# Programs for looking at; the script runs them in tmux where there is one.
noinst_PROGRAMS = tests/programs/termdemo
tests_programs_termdemo_SOURCES = tests/programs/termdemo.c
tests_programs_termdemo_LDADD = $(archives)
# Programs to be counted. Without sanitizers and hecate's libraries they do only what their comments say.
noinst_PROGRAMS += tests/programs/touch tests/programs/segv tests/programs/forks tests/programs/dies tests/programs/leaves \
	tests/programs/spin tests/programs/churn tests/programs/stall tests/programs/paths tests/programs/hop tests/programs/work
tests_programs_work_CFLAGS = $(WARN_CFLAGS)
tests_programs_work_LDFLAGS = -Wl,--as-needed
tests_programs_work_LDADD =
tests_programs_hop_CFLAGS = $(WARN_CFLAGS)
tests_programs_hop_LDFLAGS = -Wl,--as-needed
tests_programs_hop_LDADD =
tests_programs_paths_CFLAGS = $(WARN_CFLAGS)
tests_programs_paths_LDFLAGS = -Wl,--as-needed
tests_programs_paths_LDADD =
tests_programs_touch_CFLAGS = $(WARN_CFLAGS)
tests_programs_touch_LDFLAGS = -Wl,--as-needed
tests_programs_touch_LDADD =
tests_programs_segv_CFLAGS = $(WARN_CFLAGS)
tests_programs_segv_LDFLAGS = -Wl,--as-needed
tests_programs_segv_LDADD =
tests_programs_forks_CFLAGS = $(WARN_CFLAGS)
tests_programs_forks_LDFLAGS = -Wl,--as-needed
tests_programs_forks_LDADD =
tests_programs_dies_CFLAGS = $(WARN_CFLAGS)
tests_programs_dies_LDFLAGS = -Wl,--as-needed
tests_programs_dies_LDADD =
tests_programs_leaves_CFLAGS = $(WARN_CFLAGS)
tests_programs_leaves_LDFLAGS = -Wl,--as-needed
tests_programs_leaves_LDADD =
tests_programs_spin_CFLAGS = $(WARN_CFLAGS)
tests_programs_spin_LDFLAGS = -Wl,--as-needed
tests_programs_spin_LDADD =
tests_programs_churn_CFLAGS = $(WARN_CFLAGS) -pthread
tests_programs_churn_LDFLAGS = -Wl,--as-needed
tests_programs_churn_LDADD = -lpthread
tests_programs_stall_CFLAGS = $(WARN_CFLAGS) -pthread
tests_programs_stall_LDFLAGS = -Wl,--as-needed
tests_programs_stall_LDADD = -lpthread
# Preloaded into hecate by tests/e2e/faults: a library, although automake builds it as a program.
noinst_PROGRAMS += tests/programs/faults.so
tests_programs_faults_so_SOURCES = tests/programs/faults.c
tests_programs_faults_so_CFLAGS = $(WARN_CFLAGS) -fPIC
tests_programs_faults_so_LDFLAGS = -shared -Wl,--as-needed
tests_programs_faults_so_LDADD = -ldl
check_SCRIPTS += tests/programs/show_termdemo.sh
EXTRA_DIST += tests/programs/show_termdemo.sh
