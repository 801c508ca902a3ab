#!/bin/sh
echo '{"hook_signals":[{"source_event":"PreAbilityCreate","hook_id":"no_reset","kind":"ability_preflight","code":"ABILITY_UNAVAILABLE","payload":{"reason":"The database is not reset from here.","suggestion":"Ask a human to do it."}}]}'
