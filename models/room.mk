modelsdir = $(pkgdatadir)/models
dist_models_DATA = models/haswell-mmu.udd models/linux-page-faults.udd
demodir = $(modelsdir)/demo
dist_demo_DATA = models/demo/hello.c
