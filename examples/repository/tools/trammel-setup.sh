#!/bin/sh
# Installs exactly one version of Trammel, where nobody has installed it: in the
# sandbox of a cloud agent. What was downloaded is used only if it has the
# checksum below, so change version and checksums together; checksums.txt of the
# release has them.
#
#   TRAMMEL_DIR   where to (default: /usr/local/bin)
#   TRAMMEL_FROM  where from: a mirror, as a URL
set -eu

version=0.0.0
linux_amd64=0000000000000000000000000000000000000000000000000000000000000000
linux_arm64=0000000000000000000000000000000000000000000000000000000000000000

dir=${TRAMMEL_DIR:-/usr/local/bin}
from=${TRAMMEL_FROM:-https://github.com/trammel-dev/trammel/releases/download/v$version}

fail() {
  echo "trammel-setup: $*. Trammel was not installed, so tool calls stay blocked." >&2
  exit 1
}

case $(uname -m) in
  x86_64) arch=amd64 want=$linux_amd64 ;;
  aarch64 | arm64) arch=arm64 want=$linux_arm64 ;;
  *) fail "there is no build for $(uname -m)" ;;
esac
stamp=$dir/.trammel-$want
if [ -e "$stamp" ] && [ -x "$dir/trammel-hook" ]; then
  exit 0 # done earlier in this sandbox
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archive=trammel_${version}_linux_$arch.tar.gz
curl -fsSL -o "$work/$archive" "$from/$archive" || fail "cannot fetch $from/$archive"
have=$(sha256sum "$work/$archive" | cut -d ' ' -f 1)
[ "$have" = "$want" ] || fail "$archive has the checksum $have, expected $want"
tar -xzf "$work/$archive" -C "$work" trammel trammel-hook || fail "cannot unpack $archive"
mkdir -p "$dir"
install -m 755 "$work/trammel" "$work/trammel-hook" "$dir/" || fail "cannot write to $dir"
touch "$stamp"
echo "trammel-setup: trammel $version is in $dir" >&2
