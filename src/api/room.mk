# libhecate: core as a library for other programs (docs/library.md). It takes from the archives what it needs.
api_headers = src/api/hecate/model.h src/api/hecate/cone.h src/api/hecate/data.h src/api/hecate/verdict.h \
	src/api/hecate/stack.h
noinst_LIBRARIES += libapi.a
libapi_a_SOURCES = src/api/state.h $(api_headers) \
	src/api/model.c src/api/cone.c src/api/data.c src/api/verdict.c src/api/stack.c
EXTRA_DIST += src/api/hecate.map src/api/hecate.pc.in

# The number rises when a symbol goes or changes; tests/library.sh knows the symbols.
shared_library = libhecate.so.0
if LIBRARY
noinst_DATA += $(shared_library)
endif
$(shared_library): libapi.a $(archives) src/api/hecate.map
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(TEST_LD) -shared -Wl,-soname,$@ -Wl,--as-needed -Wl,-z,defs \
		-Wl,--version-script=$(srcdir)/src/api/hecate.map $(LDFLAGS) -o $@ \
		-Wl,--whole-archive libapi.a -Wl,--no-whole-archive $(archives) $(LIBS) && ln -sf $@ libhecate.so
hecate.pc: src/api/hecate.pc.in Makefile
	$(AM_V_GEN)sed -e 's,@prefix[@],$(prefix),' -e 's,@libdir[@],$(libdir),' -e 's,@includedir[@],$(includedir),' \
		-e 's,@VERSION[@],$(VERSION),' $(srcdir)/src/api/hecate.pc.in >$@
if LIBRARY
apidir = $(includedir)/hecate
api_HEADERS = $(api_headers)
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = hecate.pc
install-exec-local: $(shared_library)
	$(MKDIR_P) $(DESTDIR)$(libdir)
	$(INSTALL_DATA) $(shared_library) $(DESTDIR)$(libdir)/$(shared_library)
	ln -sf $(shared_library) $(DESTDIR)$(libdir)/libhecate.so
uninstall-local:
	rm -f $(DESTDIR)$(libdir)/$(shared_library) $(DESTDIR)$(libdir)/libhecate.so
endif
CLEANFILES += $(shared_library) libhecate.so hecate.pc
