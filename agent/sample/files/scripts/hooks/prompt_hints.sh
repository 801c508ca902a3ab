#!/bin/sh
case "$(cat)" in
*note*) echo '{"hook_signals":[{"source_event":"PromptSubmit","hook_id":"prompt_hints","kind":"routing_hint","code":"ROUTE_SUGGESTION","payload":{"suggested_abilities":[{"id":"note.write","reason":"The prompt is about a note.","confidence":0.9}]}}]}' ;;
*) echo '{}' ;;
esac
