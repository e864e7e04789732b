# Installed as they lie here, so that links between them lead somewhere.
dist_doc_DATA = README.md NEWS
docsdir = $(docdir)/docs
dist_docs_DATA = \
	docs/README.md docs/architecture.md docs/collectors.md docs/command-line.md docs/correlated-regions.md docs/data.md docs/emulated-pmus.md docs/events.md docs/fdl-language.md docs/glossary.md docs/haswell-case-study.md \
	docs/haswell-study.md docs/json.md docs/kernel-files.md docs/linux-vm.md \
	docs/diff.md docs/laws.md docs/models.md docs/network-language.md docs/numerics.md docs/profile-spec.md docs/rotation.md \
	docs/cpi-stacks.md docs/screens.md docs/session-file.md docs/simulated-machine.md docs/simulated-server.md docs/stack-language.md docs/top-down.md docs/stall-sources.md docs/traces.md docs/trust-language.md docs/tutorial.md docs/udd-language.md docs/active-counters.svg docs/correlations.svg docs/instrumentation.md \
	docs/haswell-case-study.svg docs/scaling.svg
dist_docs_DATA += docs/concepts.md docs/lessons.md docs/wishes.md docs/how-to.md docs/library.md docs/limits.md docs/determinism.md docs/overflow.md docs/workload.md docs/probes.md docs/native-probes.md docs/probe-export.md \
	docs/slices.md docs/sweep.md docs/calibration.md docs/reliability.md docs/security.md
viewsdir = $(docsdir)/views
dist_views_DATA = \
	docs/views/README.md docs/views/start.md docs/views/models.md docs/views/search.md \
	docs/views/constraints.md docs/views/observations.md docs/views/geometry.md docs/views/paths.md \
	docs/views/stalls.md docs/views/queues.md docs/views/phases.md docs/views/events.md docs/views/probes.md docs/views/diff.md
librarydir = $(docsdir)/library
dist_library_DATA = docs/library/constraints.c docs/library/judge.c docs/library/account.c
picturesdir = $(docsdir)/pictures
dist_pictures_DATA = docs/pictures/models.svg docs/pictures/one-icache-miss.svg \
	docs/pictures/one-mispredict.svg docs/pictures/one-long-miss.svg docs/pictures/two-long-misses.svg \
	docs/pictures/two-dependent-misses.svg docs/pictures/loads-path.svg docs/pictures/loads-cone.svg \
	docs/pictures/loads-region.svg docs/pictures/themes.svg docs/pictures/loads.udd docs/pictures/loads.csv
check_SCRIPTS += tests/docs.sh tests/docs_pages.sh
EXTRA_DIST += tools/doc-examples tools/first-example tools/house-figures tools/cpi-evaluation tools/cbp-comparison tools/judge-robustness tools/native-repeat tools/random-pages tools/verify-certificate
