#!/bin/sh
# A note for the model, as one writes it for docker-agent.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"hook_event_name":"user_prompt_submit"'
says '"prompt":"deploy the site"'
echo '{"hook_specific_output":{"hook_event_name":"user_prompt_submit","additional_context":"Deployments are frozen until Monday."}}'
