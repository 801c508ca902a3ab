#!/bin/sh
# A guard, as one writes it for Gemini CLI.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"BeforeTool"'
says '"tool_name":"run_shell_command"'
says '"tool_input":{[^}]*"command":"rm -rf build"'
echo '{"decision":"deny","reason":"The build directory is not yours to delete."}'
