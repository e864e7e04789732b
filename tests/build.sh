#!/bin/sh
# The build: the installed program names no folder of the sources, two builds are equal to the byte, and configure
# refuses systems on which hecate cannot be built.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL # those of the make that runs this test
CCACHE_DISABLE=1
export CCACHE_DISABLE

if make -s -C "$TOP_BUILDDIR" install-binPROGRAMS DESTDIR="$tmp/installed" >"$tmp/log" 2>&1; then
	binary=$(find "$tmp/installed" -type f -name hecate)
	is "one program is installed" "$(printf '%s\n' "$binary" | wc -l)" 1
	if grep -q __asan_init "$binary"; then
		skip "it names no folder of the sources" "a sanitizer names the sources"
	else
		is "it names no folder of the sources" "$(grep -acF "$TOP_SRCDIR" "$binary")" 0
		is "nor a folder of the build" "$(grep -acF "$TOP_BUILDDIR" "$binary")" 0
	fi
else
	not_ok "make install-binPROGRAMS" "$(cat "$tmp/log")"
fi

"$TOP_SRCDIR/tools/compile-commands" "$TOP_BUILDDIR" >"$tmp/compile_commands.json"
is "editors learn how each source is compiled" "$(cd "$TOP_SRCDIR" && python3 - "$tmp/compile_commands.json" <<'END'
import glob, json, os, sys
rows = json.load(open(sys.argv[1]))
known = {os.path.relpath(os.path.realpath(os.path.join(r["directory"], r["file"]))) for r in rows}
missing = [f for f in glob.glob("src/**/*.c", recursive=True) + glob.glob("tests/unit/*.c") if f not in known]
print(missing, all(" -c -o " in r["command"] and " -MF " not in r["command"] for r in rows))
END
)" "[] True"

# refuses NAME ARGUMENT PATTERN: configure fails with this sentence
refuses() {
	mkdir -p "$tmp/refused" && (cd "$tmp/refused" && rm -rf ./* && "$TOP_SRCDIR/configure" -q "$2" >out 2>&1)
	is "$1: configure fails" "$(($? != 0))" 1
	has "$1: it says what to do" "$(tr '\n' ' ' <"$tmp/refused/out")" "$3"
}
refuses "no Linux" "CC=${CC:-cc} -U__linux__" 'another system.*build on Linux'
refuses "no __int128" "CC=${CC:-cc} -D__int128=no_such_type" 'no __int128.*64-bit machine'
refuses "no large files" hecate_cv_large_files=no 'off_t .*do not give --disable-largefile'

# Copies of the sources in folders of different names and lengths, each built in its own folder.
build() {
	mkdir -p "$1/b" && tar -C "$TOP_SRCDIR" --exclude=./.git --exclude='./build*' --exclude=./_build --exclude=./_inst -cf - . | tar -C "$1" -xf - &&
		cp -R "$TOP_SRCDIR/build-aux" "$1/" && chmod -R u+w "$1" &&
		(cd "$1/b" && ../configure -q CFLAGS="-O0 -g" && make -s -j"$(nproc)" hecate)
}
if [ "${HECATE_SLOW:-0}" != 1 ]; then
	: # it takes minutes; ./check --slow with all its rounds
elif build "$tmp/one" >"$tmp/log" 2>&1 && build "$tmp/a/longer/name/two" >>"$tmp/log" 2>&1; then
	is "two builds in different folders are equal to the byte" "$(cmp "$tmp/one/b/hecate" "$tmp/a/longer/name/two/b/hecate" 2>&1)" ""
else
	not_ok "the sources build in another folder" "$(tail -n 40 "$tmp/log")"
fi
done_testing
