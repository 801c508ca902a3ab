import json
import sys

for line in sys.stdin:
    call = json.loads(line)
    payload = call["payload"]
    if payload.get("vendor") == "crash":
        sys.exit(3)
    if call["hook_id"] == "limit":
        result = {"status": "ok", "facts": {"over": payload.get("amount", 0) > 1000}}
        if payload.get("vendor") == "usurper":
            result["facts"]["route"] = "Continue"
        if payload.get("vendor") == "babble":
            print("hello", flush=True)
            continue
    else:
        good = payload.get("price", 0) > 0
        result = {"status": "ok", "valid": good, "diagnostics": [] if good else ["the price is not above zero"]}
    print(json.dumps(result), flush=True)
