modelsdir = $(pkgdatadir)/models
dist_models_DATA = models/haswell-mmu.udd models/linux-page-faults.udd
