#!/bin/sh
# A guard, as one writes it for an AI-centric repository.
in=$(cat)
says() { printf %s "$in" | grep -q -e "$1" || exit 9; }
says '"event_type":"PreAbilityCall"'
says '"args_summary":"{.*rm -rf build'
says '"caller":{"source":"ai_session"'
cat <<'END'
{"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "foreign", "kind": "ability_guard", "code": "ABILITY_DENIED", "severity": "error",
  "payload": {"reason": "The build directory is not yours to delete."}}]}
END
