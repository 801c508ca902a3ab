#!/bin/sh
# Writes $3 into the file $2, below the repository.
case "$2" in /*|*..*) echo "the path must stay in the repository" >&2; exit 1;; esac
mkdir -p "$(dirname "$2")" && printf "%s\n" "$3" > "$2" && printf '{"wrote":"%s"}\n' "$2"
