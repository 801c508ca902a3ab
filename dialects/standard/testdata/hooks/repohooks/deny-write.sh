#!/bin/sh
# A guard of files, as one writes it for an AI-centric repository.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event_type":"PreAbilityCall"'
says '"args_summary":"{.*/srv/app/secrets.txt'
cat <<'END'
{"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "foreign", "kind": "ability_guard", "code": "ABILITY_DENIED", "payload": {"reason": "Secrets are written by hand."}}]}
END
