#!/bin/sh
# A note for the model, as one writes it for Trammel itself.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event":"user_prompt_submit"'
says '"prompt":{"text":"deploy the site"'
echo '{"context":"Deployments are frozen until Monday."}'
