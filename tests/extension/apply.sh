#!/bin/sh
# Each patch KIND.patch of this folder adds a stub of one kind. It touches exactly the files of src/ that CONTRIBUTING.md
# names where it says how to add that kind. With HECATE_SLOW each patch is built; the command after "show:" in its head
# must then print what stands after "expect:", and without the patch it must not.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
here=$HECATE_TESTS/extension
if ! command -v patch >/dev/null; then
	skip "patches" "patch is not installed"
	done_testing
	exit 0
fi

# files_named KIND: the files of src/ in the paragraph "**A KIND.**", where NAME stands for any name
files_named() {
	awk -v head="**A $1.**" 'index($0, head) == 1 { on = 1 } on && /^$/ { exit } on' "$TOP_SRCDIR/CONTRIBUTING.md" |
		grep -oE '`src/[^`]*`' | tr -d '`' | sort -u
}
# files_touched FILE: the files that a patch changes or adds
files_touched() { sed -n 's#^+++ b/\([^	]*\).*#\1#p' "$1"; }
# compare KIND FILE: prints files that are named and not touched, or touched and not named
compare() {
	files_named "$1" >"$tmp/named"
	[ -s "$tmp/named" ] || echo "CONTRIBUTING.md names no file for a $1"
	files_touched "$2" >"$tmp/touched"
	sed -e 's#[.]#[.]#g' -e 's#NAME#[a-z_0-9]+#g' -e 's#/$#/[a-z_0-9.]+#' -e 's#^#^#' -e 's#$#$#' "$tmp/named" >"$tmp/patterns"
	while read -r pattern; do
		grep -qE "$pattern" "$tmp/touched" || echo "named, not touched: $pattern"
	done <"$tmp/patterns"
	grep -vEf "$tmp/patterns" "$tmp/touched" | sed 's/^/touched, not named: /'
}

for file in "$here"/*.patch; do
	kind=$(basename "$file" .patch)
	is "$kind: the files that CONTRIBUTING.md names" "$(compare "$kind" "$file")" ""
	mkdir -p "$tmp/dry"
	(cd "$TOP_SRCDIR" && cp -p --parents $(sed -n 's#^--- a/\([^	]*\).*#\1#p' "$file") "$tmp/dry")
	check "$kind: the patch applies" patch -s -p1 -d "$tmp/dry" -i "$file"
	rm -rf "$tmp/dry"
done

is "a view changes at most ten files that exist" "$(($(grep -c '^--- a/' "$here/view.patch") <= 10))" 1

if [ -z "$HECATE_SLOW" ]; then
	skip "each patch is built" "builds hecate anew; HECATE_SLOW=1 does it"
	done_testing
	exit 0
fi

# A build of the sources without a patch. Each patch gets a copy of it, so that only what it touches is built again.
mkdir -p "$tmp/plain/build"
(cd "$TOP_SRCDIR" && cp -pR --parents Makefile.am Makefile.in aclocal.m4 bench build-aux completions config.h.in configure configure.ac \
	docs m4 man models src tests themes tools run check README.md NEWS COPYING CONTRIBUTING.md .ci "$tmp/plain" 2>"$tmp/said")
# make_in FOLDER: builds what the commands after "show:" need
make_in() { (cd "$1/build" && make -s -j"$(getconf _NPROCESSORS_ONLN)" hecate tests/extension/show) >"$tmp/said" 2>&1; }
if (cd "$tmp/plain/build" && ../configure -q CFLAGS='-O0 -w' >"$tmp/said" 2>&1) && make_in "$tmp/plain"; then
	ok "the sources are built"
else
	not_ok "the sources are built" "$(tail -n 20 "$tmp/said")"
	done_testing
	exit 0
fi
for file in "$here"/*.patch; do
	kind=$(basename "$file" .patch)
	cp -pR "$tmp/plain" "$tmp/$kind"
	patch -s -p1 -d "$tmp/$kind" -i "$file" >"$tmp/said" 2>&1
	if ! make_in "$tmp/$kind"; then
		not_ok "$kind: built" "$(tail -n 20 "$tmp/said")"
		rm -rf "${tmp:?}/$kind"
		continue
	fi
	ok "$kind: built"
	show=$(sed -n 's/^show: //p' "$file")
	out=$(cd "$tmp/$kind/build" && HECATE_MODELS=$tmp/$kind HECATE_TESTS=$tmp/$kind/tests sh -c "$show" 2>&1)
	sed -n 's/^expect: //p' "$file" >"$tmp/expected"
	while read -r pattern; do
		has "$kind: $show" "$out" "$pattern"
	done <"$tmp/expected"
	out=$(cd "$tmp/plain/build" && HECATE_MODELS=$tmp/plain HECATE_TESTS=$tmp/plain/tests sh -c "$show" 2>&1)
	printf '%s\n' "$out" | grep -qE -- "$(head -n 1 "$tmp/expected")" &&
		not_ok "$kind: not there without the patch" "$out" || ok "$kind: not there without the patch"
	rm -rf "${tmp:?}/$kind"
done
done_testing
