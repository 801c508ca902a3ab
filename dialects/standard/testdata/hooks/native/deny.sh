#!/bin/sh
# A guard, as one writes it for Trammel itself.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event":"pre_tool_use"'
says '"kind":"shell","command":"rm -rf build"'
echo '{"decision":"deny","reason":"The build directory is not yours to delete."}'
