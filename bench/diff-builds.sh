#!/bin/sh
# hecate diff on two builds of zlib from Debian's sources: -O1 and -O2, and -O2 twice, as revisions of a repository.
# `make bench-diff-builds` prints the answers; it takes three minutes, and needs apt-get, git and a compiler. BUDGET=60s.
set -eu
: "${HECATE:?}" "${BUDGET:=60s}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
mkdir -p "$tmp/lists/partial" "$tmp/archives/partial"
. /etc/os-release
echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" >"$tmp/sources.list"
apt() {
	apt-get -qq -o Dir::Etc::SourceList="$tmp/sources.list" -o Dir::Etc::SourceParts=- \
		-o Dir::State::Lists="$tmp/lists" -o Dir::Cache::Archives="$tmp/archives" -o APT::Sandbox::User=root "$@" >&2
}
apt update
cd "$tmp"
apt source zlib
set -- zlib-*/
mv "$1" zlib
cd zlib
printf 'zlib %s\n\n' "$(dpkg-parsechangelog -SVersion 2>/dev/null || sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)"
export GIT_CONFIG_GLOBAL=/dev/null
git init -q
git config user.name bench
git config user.email bench@localhost
git config gc.auto 0
git add -A -f
for build in O1 O2 O2-again; do
	echo "-${build%-again}" >flags
	date +%N >>comment
	git add -A -f
	git commit -qm "$build"
	git tag "$build"
done
head -c 600000 /dev/urandom | od -An -x >"$tmp/text"
build='CFLAGS="$(cat flags)" ./configure --static >/dev/null && make minigzip >/dev/null'
for b in O1 O2-again; do
	echo "hecate diff --git O2 $b"
	# its status: 1 for slower, 2 for undecided
	"$HECATE" diff -q --git O2 "$b" --build "$build" --budget "$BUDGET" -- ./minigzip -1 -c "$tmp/text" || :
	echo
done
