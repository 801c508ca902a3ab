#!/bin/sh
# A correction of a call, as one would like to have it for an AI-centric repository.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event_type":"PreAbilityCall"'
says 'rm -rf build'
# The contract has no words for a rewrite: a log line that tells of one is no answer.
echo '{"logs": ["better: rm -rf tmp"]}'
