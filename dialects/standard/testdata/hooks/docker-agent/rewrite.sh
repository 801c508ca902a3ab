#!/bin/sh
# A correction of a call, as one writes it for docker-agent.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"pre_tool_use"'
says '"tool_name":"shell"'
says '"tool_input":{[^}]*"cmd":"rm -rf build'
case $in in *'rm -rf build/tmp'*) exit 0 ;; esac # nothing to correct
echo '{"hook_specific_output":{"hook_event_name":"pre_tool_use","updated_input":{"cmd":"rm -rf build/tmp"}}}'
