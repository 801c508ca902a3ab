"""Test of the repository hook {{.ID}}: runs its handler as the runtime does."""

import json
import pathlib
import subprocess
import unittest

HANDLER = pathlib.Path(__file__).resolve().parent.parent / "{{.ID}}.py"


def run(**more):
    context = {
        "event_type": "{{.Event}}",
{{- if eq .Event "PromptSubmit"}}
        "session_id": "s1",
        "user_raw_input": "Fix the login page.",
{{- else if eq .Event "PreAbilityCreate"}}
        "ability_ref": {"kind": "ability_id", "value": "some_ability"},
        "environment": "dev",
        "caller": {"source": "ai_session", "session_id": "s1"},
{{- else if eq .Event "PreAbilityCall"}}
        "ability_id": "some_ability",
        "args_summary": "{}",
        "caller": {"source": "ai_session", "session_id": "s1"},
{{- else if eq .Event "PostAbilityCall"}}
        "ability_id": "some_ability",
        "status": "success",
        "duration_ms": 12,
{{- else}}
        "session_id": "s1",
        "changed_files": ["services/a.py"],
{{- end}}
    }
    context.update(more)
    done = subprocess.run([str(HANDLER)], input=json.dumps(context), capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Test(unittest.TestCase):
{{- if eq .Event "PromptSubmit"}}
    def test_no_opinion(self):
        self.assertEqual(run(), {})

    def test_suggestion(self):
        self.assertEqual(run(user_raw_input="TODO")["hook_signals"][0]["kind"], "routing_hint")
{{- else if eq .Event "PreAbilityCreate"}}
    def test_no_opinion(self):
        self.assertEqual(run(), {})

    def test_unavailable(self):
        self.assertEqual(run(environment="TODO")["hook_signals"][0]["code"], "ABILITY_UNAVAILABLE")
{{- else if eq .Event "PreAbilityCall"}}
    def test_no_opinion(self):
        self.assertEqual(run(), {})

    def test_denied(self):
        self.assertEqual(run(args_summary='{"path":"TODO"}')["hook_signals"][0]["code"], "ABILITY_DENIED")
{{- else if eq .Event "PostAbilityCall"}}
    def test_recorded(self):
        self.assertTrue(run()["usage_recorded"])

    def test_failure(self):
        self.assertIn("failure", run(status="failure", error_message="boom")["logs"][0])
{{- else}}
    def test_summary(self):
        self.assertEqual(run()["logs"], ["1 files changed"])
{{- end}}


if __name__ == "__main__":
    unittest.main()
