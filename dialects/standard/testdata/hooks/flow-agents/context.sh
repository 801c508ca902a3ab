#!/bin/sh
# A note for the model, as one writes it for Flow Agents.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"UserPromptSubmit"'
says '"prompt":"deploy the site"'
printf '%s\n\n---\nDeployments are frozen until Monday.\n---' "$in"
