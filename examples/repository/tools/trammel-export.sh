#!/bin/sh
# Sends the evidence of this job to TRAMMEL_EVIDENCE_URL, before the sandbox is
# gone. A log that does not verify is sent as well: that it does not is what
# somebody has to see.
set -eu

[ -n "${TRAMMEL_EVIDENCE_URL:-}" ] || {
  echo "trammel-export: TRAMMEL_EVIDENCE_URL is not set, so the evidence of this job is lost" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
result=verified
trammel evidence verify >&2 || result=broken
trammel evidence export --format jsonl >"$work/evidence.jsonl"
curl -fsS -T "$work/evidence.jsonl" "${TRAMMEL_EVIDENCE_URL%/}/$(date -u +%Y%m%dT%H%M%SZ)-$$-$result.jsonl"
[ "$result" = verified ]
