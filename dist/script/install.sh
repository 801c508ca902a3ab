#!/bin/sh
# Installs Trammel @VERSION@: both programs, into one directory. What was
# downloaded is used only if its checksum is in a list that the key below has
# signed; wherever that cannot be checked, nothing is installed.
#
#   TRAMMEL_DIR   where to: /usr/local/bin, or ~/.local/bin for who may not write there
#   TRAMMEL_FROM  where from: a mirror, as a URL
set -eu

version='@VERSION@'
key_name='@KEY_NAME@'
key='@KEY@'
from=${TRAMMEL_FROM:-@URL@/releases/download/v$version}

fail() {
  echo "install.sh: $*" >&2
  echo "install.sh: nothing was installed" >&2
  exit 1
}

fetch() { # URL FILE
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is here"
  fi || fail "cannot fetch $1"
}

sum() { # FILE
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

# verify checks the signature of a note: text, an empty line, and behind a dash
# and the name of the key the base64 of four bytes that name it and 64 of Ed25519.
verify() { # NOTE TEXT
  command -v openssl >/dev/null 2>&1 || fail "openssl is not here, and the signature cannot be checked without it"
  sed '/^$/,$d' "$1" >"$2"
  printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s\n-----END PUBLIC KEY-----\n' "$key" >"$work/key.pem"
  sed -n "1,/^\$/d; s|^— $key_name ||p" "$1" >"$work/signatures"
  while read -r signature; do
    printf '%s\n' "$signature" | openssl base64 -d -A 2>/dev/null | tail -c 64 >"$work/signature"
    if openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$2" -sigfile "$work/signature" >"$work/log" 2>&1; then
      return 0
    fi
  done <"$work/signatures"
  if openssl pkeyutl -help 2>&1 | grep -q -e -rawin; then
    fail "checksums.txt is not signed by $key_name"
  fi
  fail "this openssl ($(openssl version)) cannot check Ed25519 signatures; version 3 can. Other ways to install: @URL@/blob/main/docs/install.md"
}

main() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail "$(uname -s) is not known here. Other ways to install: @URL@/blob/main/docs/install.md" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no build for $(uname -m)" ;;
  esac
  dir=${TRAMMEL_DIR:-}
  if [ -z "$dir" ]; then
    dir=/usr/local/bin
    [ -w "$dir" ] || dir=$HOME/.local/bin
  fi
  archive=trammel_${version}_${os}_${arch}.tar.gz
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$from/checksums.txt" "$work/checksums.txt"
  verify "$work/checksums.txt" "$work/checksums"
  want=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/checksums")
  [ -n "$want" ] || fail "checksums.txt does not list $archive"
  fetch "$from/$archive" "$work/$archive"
  have=$(sum "$work/$archive")
  [ "$have" = "$want" ] || fail "$archive has the checksum $have, expected $want"

  tar -xzf "$work/$archive" -C "$work" trammel trammel-hook || fail "cannot unpack $archive"
  mkdir -p "$dir" || fail "cannot make $dir"
  for program in trammel trammel-hook; do # beside its place first, so that nobody starts half a program
    if ! cp "$work/$program" "$dir/.$program.new" || ! chmod 755 "$dir/.$program.new" || ! mv -f "$dir/.$program.new" "$dir/$program"; then
      rm -f "$dir/.$program.new"
      fail "cannot write $dir/$program"
    fi
  done
  echo "trammel $version is in $dir"
  case :$PATH: in
    *:"$dir":*) ;;
    *) echo "$dir is not on your PATH yet" ;;
  esac
  echo "Next: trammel init"
}

main
