#!/usr/bin/env python3
"""Handler of the repository hook {{.ID}} ({{.Event}}).

The context is one JSON object on stdin, the HookResult one on stdout. Whatever
else is to be said goes to stderr. Another exit code than 0 is a failure.
"""

import json
import sys

HOOK_ID = "{{.ID}}"


def handle(context):
{{- if eq .Event "PromptSubmit"}}
    """Suggests abilities and documents for context["user_raw_input"]."""
    if "TODO" not in context["user_raw_input"]:
        return {}
    return {"hook_signals": [signal(context, "routing_hint", "ROUTE_SUGGESTION", "info", {
        "suggested_abilities": [],
        "suggested_documents": [{"path": "README.md", "reason": "Replace this with a rule of your own."}],
    })]}
{{- else if eq .Event "PreAbilityCreate"}}
    """Says whether context["ability_ref"] is available in context.get("environment")."""
    if context.get("environment") != "TODO":
        return {}
    return {"hook_signals": [signal(context, "ability_preflight", "ABILITY_UNAVAILABLE", "error", {
        "ability_ref": context["ability_ref"],
        "reason": "Replace this with a rule of your own.",
        "suggestion": "Say what to do instead.",
    })]}
{{- else if eq .Event "PreAbilityCall"}}
    """Says whether context["ability_id"] may run with context.get("args_summary")."""
    if "TODO" not in context.get("args_summary", ""):
        return {}
    return {"hook_signals": [signal(context, "ability_guard", "ABILITY_DENIED", "error", {
        "ability_id": context["ability_id"],
        "reason": "Replace this with a rule of your own.",
        "require_human": True,
    })]}
{{- else if eq .Event "PostAbilityCall"}}
    """Records how context["ability_id"] went: context["status"], context.get("duration_ms")."""
    return {"logs": ["%s: %s" % (context["ability_id"], context["status"])], "usage_recorded": True}
{{- else}}
    """Sums up a session: context.get("changed_files"), context.get("tasks_summary")."""
    return {"logs": ["%d files changed" % len(context.get("changed_files", []))]}
{{- end}}
{{- if .SignalsAgent}}


def signal(context, kind, code, severity, payload):
    return {"source_event": context["event_type"], "hook_id": HOOK_ID, "kind": kind, "code": code, "severity": severity, "payload": payload}
{{- end}}


if __name__ == "__main__":
    json.dump(handle(json.load(sys.stdin)), sys.stdout)
