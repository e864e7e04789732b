#!/bin/sh
# The rooms' rules: who may include whom, and how long a file may grow.
cd "$TOP_SRCDIR" || exit 1
echo 1..4
out=$(tools/check-layers src 2>&1) && echo "ok 1 - includes obey the layers" || { echo "not ok 1 - includes obey the layers"; echo "$out" | sed 's/^/# /'; }
long=$(find src tests tools -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" && $1 > 1000 { print $2 " has " $1 " lines" }')
find src -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" && $1 > 600 { print "# over 600 lines, split by idea: " $2 " " $1 }'
[ -z "$long" ] && echo "ok 2 - no file over 1000 lines" || { echo "not ok 2 - no file over 1000 lines"; echo "$long" | sed 's/^/# /'; }

# The linker takes the first of two functions of one name in the archive, and says nothing.
twice=$(nm -g --defined-only "$TOP_BUILDDIR/libhecate.a" 2>/dev/null | awk 'NF == 3 && $2 ~ /[TDBR]/ { print $3 }' | sort | uniq -d | grep -v '^__')
if ! command -v nm >/dev/null; then
	echo "ok 3 - no name is defined twice # SKIP nm is not installed"
elif [ -z "$twice" ]; then
	echo "ok 3 - no name is defined twice"
else
	echo "not ok 3 - no name is defined twice"
	echo "$twice" | sed 's/^/# /'
fi

# The check sees through headers.
dir=$(mktemp -d) || exit 1
mkdir -p "$dir/src/draw" "$dir/src/app/run" "$dir/src/collect"
echo '#include "app/run/run.h"' > "$dir/src/draw/screen.c"
echo '#include "collect/source.h"' > "$dir/src/app/run/run.h"
echo '/* nothing */' > "$dir/src/collect/source.h"
out=$(tools/check-layers "$dir/src" 2>&1)
case $out in
*"draw/screen.c:1: sees collect/source.h through app/run/run.h") echo "ok 4 - what draw sees through a header counts" ;;
*) echo "not ok 4 - what draw sees through a header counts"; echo "$out" | sed 's/^/# /' ;;
esac
rm -rf "$dir"
