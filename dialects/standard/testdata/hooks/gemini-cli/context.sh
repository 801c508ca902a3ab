#!/bin/sh
# A note for the model, as one writes it for Gemini CLI.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"BeforeAgent"'
says '"prompt":"deploy the site"'
echo '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"Deployments are frozen until Monday."}}'
