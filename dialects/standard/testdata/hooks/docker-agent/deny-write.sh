#!/bin/sh
# A guard of files, as one writes it for docker-agent.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"pre_tool_use"'
says '"tool_name":"write_file"'
says '"tool_input":{.*"path":"/srv/app/secrets.txt"'
echo '{"decision":"block","reason":"Secrets are written by hand."}'
