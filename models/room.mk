modelsdir = $(pkgdatadir)/models
dist_models_DATA = models/haswell-mmu.udd models/linux-page-faults.udd
networksdir = $(pkgdatadir)/networks
dist_networks_DATA = models/networks/spr-cxl.net models/networks/emr-cxl.net models/networks/haswell.net models/networks/generic.net
demodir = $(modelsdir)/demo
dist_demo_DATA = models/demo/hello.c
