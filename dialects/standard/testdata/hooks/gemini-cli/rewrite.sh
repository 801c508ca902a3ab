#!/bin/sh
# A correction of a call, as one writes it for Gemini CLI.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"BeforeTool"'
says '"tool_name":"run_shell_command"'
says '"tool_input":{[^}]*"command":"rm -rf build'
case $in in *'rm -rf build/tmp'*) exit 0 ;; esac # nothing to correct
echo '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"rm -rf build/tmp"}}}'
