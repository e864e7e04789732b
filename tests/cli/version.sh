#!/bin/sh
# One version: configure.ac, NEWS, --version and the manual page agree. In a repository --version names the commit, too.
. "$HECATE_TESTS/lib/tap.sh"
source=$HECATE_TESTS/..
base=$(sed -n 's/^AC_INIT(\[hecate\], \[\(.*\)\], \[\], .*/\1/p' "$source/configure.ac")
has "configure.ac has a version" "$base" '^[0-9]+\.[0-9]+\.[0-9]+$'
is "NEWS is of this version" "$(sed -n '1s/^hecate \([0-9.]*\).*/\1/p' "$source/NEWS")" "$base"
is "the manual page, too" "$(sed -n 's/^\.TH HECATE 1 "" "hecate \(.*\)" .*/\1/p' "$(dirname "$HECATE")/man/hecate.1")" "$base"
is "--version is what tools/version says" "$("$HECATE" --version | head -n 1)" "hecate $(sh "$source/tools/version" "$source" "$base")"
has "  it begins with the version" "$("$HECATE" --version | head -n 1)" "^hecate $base(-[0-9]+)?(-g[0-9a-f]+)?\$"
# An archive, a repository without the tag, at the tag, and after it.
version() { sh "$source/tools/version" "$tmp/sources" 1.2.3; }
mkdir "$tmp/sources"
is "an archive" "$(version)" 1.2.3
command -v git >/dev/null || { skip "a repository" "git is not installed"; done_testing; exit 0; }
commit() { git -C "$tmp/sources" -c user.name=a -c user.email=a@b.c -c commit.gpgsign=false commit -q --allow-empty -m "$1"; }
git init -q "$tmp/sources" 2>/dev/null
is "a repository without a commit" "$(version)" 1.2.3
commit one
has "a repository without the tag" "$(version)" '^1\.2\.3-g[0-9a-f]{9}$'
git -C "$tmp/sources" tag v1.0.0
has "with another tag only" "$(version)" '^1\.2\.3-g[0-9a-f]{9}$'
git -C "$tmp/sources" tag v1.2.3
is "at the tag" "$(version)" 1.2.3
commit two
has "after the tag" "$(version)" '^1\.2\.3-1-g[0-9a-f]{9}$'
done_testing
