#!/bin/sh
# A note for the model, as one writes it for Claude Code.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"UserPromptSubmit"'
says '"prompt":"deploy the site"'
echo 'Deployments are frozen until Monday.'
