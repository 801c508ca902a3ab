#!/bin/sh
# A guard of files, as one writes it for Flow Agents.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"PreToolUse"'
says '"tool_name":"Write"'
says '"tool_input":{.*"file_path":"/srv/app/secrets.txt"'
echo 'Secrets are written by hand.' >&2
exit 2
