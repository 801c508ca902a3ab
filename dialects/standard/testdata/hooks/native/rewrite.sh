#!/bin/sh
# A correction of a call, as one writes it for Trammel itself.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event":"pre_tool_use"'
says '"kind":"shell","command":"rm -rf build'
case $in in *'rm -rf build/tmp'*) exit 0 ;; esac # nothing to correct
# Arguments go by the host's own names.
name=$(printf %s "$in" | sed -n 's/.*"input":{[^}]*"\([a-z]*\)":"rm -rf build".*/\1/p')
[ "$name" ] || exit 9
echo '{"input":{"'$name'":"rm -rf build/tmp"}}'
