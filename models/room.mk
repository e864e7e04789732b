modelsdir = $(pkgdatadir)/models
dist_models_DATA = models/fdl.counters models/haswell-mmu.udd models/haswell-study.udd models/linux-page-faults.udd
networksdir = $(pkgdatadir)/networks
dist_networks_DATA = \
	models/networks/spr-cxl.net \
	models/networks/emr-cxl.net \
	models/networks/haswell.net \
	models/networks/generic.net \
	models/networks/linux-vm.net
demodir = $(modelsdir)/demo
dist_demo_DATA = models/demo/hello.c
stacksdir = $(pkgdatadir)/stacks
dist_stacks_DATA = \
	models/stacks/naive-hsw.stack \
	models/stacks/naive-spr.stack \
	models/stacks/topdown-l1-hsw.stack \
	models/stacks/topdown-l1-spr.stack \
	models/stacks/topdown-l2-hsw.stack \
	models/stacks/topdown-l2-spr.stack \
	models/stacks/stall-sources.stack
machinesdir = $(pkgdatadir)/machines
dist_machines_DATA = models/machines/haswell.machine models/machines/small.machine
suitesdir = $(pkgdatadir)/suites
dist_suites_DATA = models/suites/mmu.suite
