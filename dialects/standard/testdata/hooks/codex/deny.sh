#!/bin/sh
# A guard, as one writes it for Codex.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"PreToolUse"'
says '"tool_name":"Bash"'
says '"tool_input":{[^}]*"command":"rm -rf build"'
echo 'The build directory is not yours to delete.' >&2
exit 2
