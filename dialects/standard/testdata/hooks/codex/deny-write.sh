#!/bin/sh
# A guard of files, as one writes it for Codex.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"PreToolUse"'
says '"tool_name":"apply_patch"'
says '"tool_input":{"command":".* Add File: /srv/app/secrets.txt'
echo 'Secrets are written by hand.' >&2
exit 2
