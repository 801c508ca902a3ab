#!/bin/sh
# A guard, as one writes it for docker-agent.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"pre_tool_use"'
says '"tool_name":"shell"'
says '"tool_input":{[^}]*"cmd":"rm -rf build"'
echo '{"decision":"block","reason":"The build directory is not yours to delete."}'
