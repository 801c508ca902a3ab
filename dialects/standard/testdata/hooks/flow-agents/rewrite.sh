#!/bin/sh
# A correction of a call, as one writes it for Flow Agents.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"PreToolUse"'
says '"tool_name":"Bash"'
says '"tool_input":{[^}]*"command":"rm -rf build'
# The contract has no words for a rewrite: to repeat the event changed is no answer.
printf %s "$in" | sed 's|rm -rf build|rm -rf build/tmp|g'
