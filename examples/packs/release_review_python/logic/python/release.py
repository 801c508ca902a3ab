"""What the hooks compute. Change this to fit your process."""

import re


def window(payload):
    day = str(payload.get("weekday") or "").lower()
    if payload.get("freeze"):
        return facts(False, "a freeze is on")
    if day in ("monday", "tuesday", "wednesday", "thursday"):
        return facts(True, f"{day} is a day for releases")
    return facts(False, f"{day or 'an unknown day'} is not a day for releases")


def facts(is_open, why):
    return {"status": "ok", "facts": {"open": is_open, "why": why}}


def validate(payload):
    diagnostics, missing = [], []
    if not re.fullmatch(r"\d+\.\d+\.\d+", str(payload.get("version", ""))):
        diagnostics.append("version is not of the form 1.2.3")
        missing.append("version")
    if not payload.get("entries"):
        diagnostics.append("there are no entries")
        missing.append("entries")
    # An artifact that is not valid is a result like any other: the status is ok.
    return {"status": "ok", "valid": not missing, "diagnostics": diagnostics, "facts": {"missing": missing}}


def render(payload):
    lines = [f"* {e['kind']}: {e['text']}" for e in payload.get("entries", [])]
    return {"status": "ok", "rendered": f"# {payload.get('version', '')}\n\n" + "\n".join(lines) + "\n"}
