"""The hooks of the purchase process. They compute; the profile decides."""

import json
import sys

LIMIT = 1000


def limit(payload):
    return {"status": "ok", "facts": {"over": payload["amount"] > LIMIT, "limit": LIMIT}}


def check_quote(payload):
    wrong = []
    if not payload.get("vendor"):
        wrong.append("the vendor is missing")
    if not payload.get("price", 0) > 0:
        wrong.append("the price is not above zero")
    return {"status": "ok", "valid": not wrong, "diagnostics": wrong}


HOOKS = {"limit": limit, "check_quote": check_quote}


def answer(call):
    try:
        return HOOKS[call["hook_id"]](call["payload"])
    except (KeyError, TypeError) as e:
        return {"status": "error", "valid": False, "diagnostics": [f"the payload cannot be used: {e}"]}


for line in sys.stdin:
    call = json.loads(line)
    # The call's id, as the last field, lets one program serve many calls.
    print(json.dumps({**answer(call), "call_id": call.get("call_id")}), flush=True)
