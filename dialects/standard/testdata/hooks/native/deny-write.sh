#!/bin/sh
# A guard of files, as one writes it for Trammel itself.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event":"pre_tool_use"'
says '"kind":"write"'
says '"paths":."/srv/app/secrets.txt"'
echo '{"decision":"deny","reason":"Secrets are written by hand."}'
