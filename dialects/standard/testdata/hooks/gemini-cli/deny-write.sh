#!/bin/sh
# A guard of files, as one writes it for Gemini CLI.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"BeforeTool"'
says '"tool_name":"write_file"'
says '"tool_input":{.*"file_path":"/srv/app/secrets.txt"'
echo '{"decision":"deny","reason":"Secrets are written by hand."}'
