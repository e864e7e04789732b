modelsdir = $(pkgdatadir)/models
dist_models_DATA = models/fdl.counters models/haswell-mmu.udd models/haswell-study.udd models/linux-page-faults.udd models/x86-retired.udd
networksdir = $(pkgdatadir)/networks
dist_networks_DATA = \
	models/networks/spr-cxl.net \
	models/networks/emr-cxl.net \
	models/networks/zen2.net \
	models/networks/zen.net \
	models/networks/neoverse.net \
	models/networks/grace.net \
	models/networks/haswell.net \
	models/networks/generic.net \
	models/networks/linux-vm.net
demodir = $(modelsdir)/demo
dist_demo_DATA = models/demo/hello.c models/demo/page-faults.csv models/demo/static-benchmark.csv models/demo/static-benchmark-expected.csv
stacksdir = $(pkgdatadir)/stacks
dist_stacks_DATA = \
	models/stacks/fmt.stack \
	models/stacks/gem5-o3.stack \
	models/stacks/naive-hsw.stack \
	models/stacks/naive-retired-hsw.stack \
	models/stacks/naive-retired-spr.stack \
	models/stacks/naive-retired.stack \
	models/stacks/naive-spr.stack \
	models/stacks/naive.stack \
	models/stacks/power5.stack \
	models/stacks/sfmt.stack \
	models/stacks/slots.stack \
	models/stacks/sniper-cpi.stack \
	models/stacks/sniper.stack \
	models/stacks/stall-sources.stack \
	models/stacks/tea.stack \
	models/stacks/topdown-core.stack \
	models/stacks/topdown-hsw.stack \
	models/stacks/topdown-icl.stack \
	models/stacks/topdown-l1-hsw.stack \
	models/stacks/topdown-l1-spr.stack \
	models/stacks/topdown-l1.stack \
	models/stacks/topdown-l2-hsw.stack \
	models/stacks/topdown-l2-spr.stack \
	models/stacks/topdown-l2.stack \
	models/stacks/topdown-l3-hsw.stack \
	models/stacks/topdown-l3-spr.stack \
	models/stacks/topdown-l3.stack \
	models/stacks/topdown-neoverse-v2.stack \
	models/stacks/topdown-skl.stack \
	models/stacks/topdown-spr.stack \
	models/stacks/topdown-zen4.stack \
	models/stacks/topdown.advice \
	models/stacks/truth-inverse.stack \
	models/stacks/truth.stack
machinesdir = $(pkgdatadir)/machines
dist_machines_DATA = \
	models/machines/cbp2025.machine \
	models/machines/core.machine \
	models/machines/emr-cxl.server \
	models/machines/spr-cxl.server \
	models/machines/haswell.machine \
	models/machines/kmh-before.machine \
	models/machines/kmh.machine \
	models/machines/small.machine
lessonsdir = $(pkgdatadir)/lessons
dist_lessons_DATA = \
	models/lessons/cksum.csv \
	models/lessons/constraint.lesson \
	models/lessons/core2-expected.csv \
	models/lessons/core2.csv \
	models/lessons/correlated.csv \
	models/lessons/correlation.lesson \
	models/lessons/cycles.csv \
	models/lessons/cycles.lesson \
	models/lessons/faults-lost.csv \
	models/lessons/faults-plain.csv \
	models/lessons/faults-signal.csv \
	models/lessons/first-model.lesson \
	models/lessons/haswell.csv \
	models/lessons/haswell.lesson \
	models/lessons/lying-counters.lesson \
	models/lessons/minor-major-solution.udd \
	models/lessons/minor-major.udd \
	models/lessons/multiplexing.lesson \
	models/lessons/page-faults.csv \
	models/lessons/page-faults.lesson \
	models/lessons/path-map.lesson \
	models/lessons/reorder-buffer.lesson \
	models/lessons/rotation.csv \
	models/lessons/tlb.csv \
	models/lessons/tlb.udd \
	models/lessons/turns.udd \
	models/lessons/walks.udd \
	models/lessons/with-signal-solution.udd \
	models/lessons/with-signal.udd
suitesdir = $(pkgdatadir)/suites
dist_suites_DATA = models/suites/mmu.suite models/suites/specfp-like.suite models/suites/specint-like.suite
trustdir = $(pkgdatadir)/trust
dist_trust_DATA = \
	models/trust/amd.trust \
	models/trust/atom.trust \
	models/trust/broadwell.trust \
	models/trust/core2.trust \
	models/trust/haswell.trust \
	models/trust/nehalem.trust \
	models/trust/other.trust \
	models/trust/pentium4.trust \
	models/trust/sandybridge.trust \
	models/trust/skylake.trust
runnerdir = $(pkgdatadir)/runner
dist_runner_DATA = models/runner/bare-aarch64.ld models/runner/bare-aarch64.s models/runner/bare-riscv64.ld models/runner/bare-riscv64.s models/runner/machine.h models/runner/rules.mk models/runner/runner.c models/runner/runner.h
probesdir = $(pkgdatadir)/probes
dist_probes_DATA = \
	models/probes/atomic_latency.probe \
	models/probes/commit_width.probe \
	models/probes/fetch_width.probe \
	models/probes/issue_width.probe \
	models/probes/itlb_entries.probe \
	models/probes/itlb_ways.probe \
	models/probes/l1i_size.probe \
	models/probes/l1i_ways.probe \
	models/probes/misprediction.probe \
	models/probes/returns.probe \
	models/probes/prefetch_reach.probe \
	models/probes/branches.probe \
	models/probes/branches_known.probe \
	models/probes/taken_history.probe \
	models/probes/page_walk.probe \
	models/probes/stlb_reach.probe \
	models/probes/bank_conflict.probe \
	models/probes/banks.probe \
	models/probes/decode_width.probe \
	models/probes/dtlb_reach.probe \
	models/probes/dtlb_entries.probe \
	models/probes/fill_buffers.probe \
	models/probes/fma_latency.probe \
	models/probes/fma_split.probe \
	models/probes/fmul_latency.probe \
	models/probes/fmul_rate.probe \
	models/probes/fp_rate.probe \
	models/probes/fp_registers.probe \
	models/probes/history.probe \
	models/probes/int_registers.probe \
	models/probes/l1_latency.probe \
	models/probes/l1_size.probe \
	models/probes/l2_latency.probe \
	models/probes/l2_size.probe \
	models/probes/l3_size.probe \
	models/probes/load_pipes.probe \
	models/probes/load_queue.probe \
	models/probes/memory_latency.probe \
	models/probes/move_elimination.probe \
	models/probes/move_latency.probe \
	models/probes/mul_latency.probe \
	models/probes/nuke_replay.probe \
	models/probes/predictor_size.probe \
	models/probes/rob.probe \
	models/probes/rob_nops.probe \
	models/probes/sta_std.probe \
	models/probes/store_forwarding.probe \
	models/probes/store_pipes.probe \
	models/probes/store_queue.probe \
	models/probes/add_rate.probe \
	models/probes/branch_rate.probe \
	models/probes/div_latency.probe \
	models/probes/div_rate.probe \
	models/probes/fadd_rate.probe \
	models/probes/fdiv_latency.probe \
	models/probes/fdiv_rate.probe \
	models/probes/fma_rate.probe \
	models/probes/l1_ways.probe \
	models/probes/l2_ways.probe \
	models/probes/l3_ways.probe \
	models/probes/move_rate.probe \
	models/probes/mul_rate.probe \
	models/probes/ports_branch_add.probe \
	models/probes/ports_branch_move.probe \
	models/probes/ports_div_add.probe \
	models/probes/ports_div_branch.probe \
	models/probes/ports_div_fadd.probe \
	models/probes/ports_div_fdiv.probe \
	models/probes/ports_div_fma.probe \
	models/probes/ports_div_fmul.probe \
	models/probes/ports_div_load.probe \
	models/probes/ports_div_move.probe \
	models/probes/ports_div_mul.probe \
	models/probes/ports_div_store.probe \
	models/probes/ports_fadd_add.probe \
	models/probes/ports_fadd_branch.probe \
	models/probes/ports_fadd_load.probe \
	models/probes/ports_fadd_move.probe \
	models/probes/ports_fadd_store.probe \
	models/probes/ports_fdiv_add.probe \
	models/probes/ports_fdiv_branch.probe \
	models/probes/ports_fdiv_fadd.probe \
	models/probes/ports_fdiv_fma.probe \
	models/probes/ports_fdiv_fmul.probe \
	models/probes/ports_fdiv_load.probe \
	models/probes/ports_fdiv_move.probe \
	models/probes/ports_fdiv_mul.probe \
	models/probes/ports_fdiv_store.probe \
	models/probes/ports_fma_add.probe \
	models/probes/ports_fma_branch.probe \
	models/probes/ports_fma_fadd.probe \
	models/probes/ports_fma_fmul.probe \
	models/probes/ports_fma_load.probe \
	models/probes/ports_fma_move.probe \
	models/probes/ports_fma_store.probe \
	models/probes/ports_fmul_add.probe \
	models/probes/ports_fmul_branch.probe \
	models/probes/ports_fmul_fadd.probe \
	models/probes/ports_fmul_load.probe \
	models/probes/ports_fmul_move.probe \
	models/probes/ports_fmul_store.probe \
	models/probes/ports_load_add.probe \
	models/probes/ports_load_branch.probe \
	models/probes/ports_load_move.probe \
	models/probes/ports_move_add.probe \
	models/probes/ports_mul_add.probe \
	models/probes/ports_mul_branch.probe \
	models/probes/ports_mul_fadd.probe \
	models/probes/ports_mul_fma.probe \
	models/probes/ports_mul_fmul.probe \
	models/probes/ports_mul_load.probe \
	models/probes/ports_mul_move.probe \
	models/probes/ports_mul_store.probe \
	models/probes/ports_store_add.probe \
	models/probes/ports_store_branch.probe \
	models/probes/ports_store_load.probe \
	models/probes/ports_store_move.probe \
	models/probes/replacement.probe \
	models/probes/scheduler.probe \
	models/probes/walk_latency.probe \
	models/probes/write_back.probe
expectdir = $(pkgdatadir)/expect
dist_expect_DATA = \
	models/expect/golden-cove.expect \
	models/expect/haswell.expect \
	models/expect/skylake.expect \
	models/expect/skylake-x.expect \
	models/expect/sunny-cove.expect \
	models/expect/zen2.expect \
	models/expect/zen3.expect \
	models/expect/zen4.expect \
	models/expect/zen5.expect
lawsdir = $(pkgdatadir)/laws
dist_laws_DATA = \
	models/laws/amd.laws \
	models/laws/arm.laws \
	models/laws/intel.laws \
	models/laws/linux.laws \
	models/laws/metrics.laws \
	models/laws/simulated.laws
