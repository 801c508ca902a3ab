#!/bin/sh
case "$(cat)" in
*config/prod*) echo '{"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"config_guard","kind":"ability_guard","code":"ABILITY_DENIED","payload":{"ability_id":"note.write","reason":"Production configuration needs a person.","require_human":true}}]}' ;;
*) echo '{}' ;;
esac
