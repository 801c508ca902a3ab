"""One JSON object per line comes in on stdin, one goes out on stdout."""

import json
import sys

import release

HOOKS = {
    "release_window": release.window,
    "validate_changelog": release.validate,
    "render_notes": release.render,
}


def answer(call):
    hook = HOOKS.get(call.get("hook_id"))
    if hook is None:
        return {"status": "error", "valid": False, "diagnostics": ["this pack has no such hook"]}
    return hook(call.get("payload") or {})


for line in sys.stdin:
    call = json.loads(line)
    # The call's id, as the last field, lets one program serve many calls.
    # Anything that is not a result must go to stderr: print(…, file=sys.stderr)
    print(json.dumps({**answer(call), "call_id": call.get("call_id")}), flush=True)
