#!/bin/sh
# A correction of a call, as one writes it for Codex.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"PreToolUse"'
says '"tool_name":"Bash"'
says '"tool_input":{[^}]*"command":"rm -rf build'
case $in in *'rm -rf build/tmp'*) exit 0 ;; esac # nothing to correct
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"rm -rf build/tmp"}}}'
