package process

import (
	"testing"
	"time"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// What asks for a name finds it at any depth and in any disguise, and not in
// what only sounds like it.
func TestContainsAny(t *testing.T) {
	names := []string{"approval_decision", "may_proceed"}
	for name, c := range map[string]struct {
		v    any
		want bool
	}{
		"nothing":                 {nil, false},
		"no field":                {map[string]any{}, false},
		"another field":           {map[string]any{"approvals": true, "decision": 1, "": 2, "_": 3}, false},
		"a value of that name":    {map[string]any{"a": "may_proceed"}, false},
		"a sentence with it":      {"it may proceed, if it was approved", false},
		"the field":               {map[string]any{"may_proceed": nil}, true},
		"in capitals":             {map[string]any{"MayProceed": false}, true},
		"with blanks":             {map[string]any{" may proceed ": false}, true},
		"with dots":               {map[string]any{"approval.decision": 1}, true},
		"deep":                    {map[string]any{"a": []any{1, map[string]any{"b": map[string]any{"may-proceed": 1}}}}, true},
		"in a text":               {[]any{"status: ok\nmay_proceed : true"}, true},
		"in a text, quoted":       {`{"approval_decision": "approve"}`, true},
		"assigned":                {"approval_decision=1", true},
		"in Cyrillic letters":     {map[string]any{"m\u0430y_proceed": true}, true},
		"in wide letters":         {map[string]any{"\uff4d\uff41\uff59_proceed": true}, true},
		"with what is not seen":   {map[string]any{"may_pro\u200bceed": true}, true},
		"with a digit for an o":   {map[string]any{"may_pr0ceed": true}, true},
		"unseen in a text":        {"may_pro\u200bceed: true", true},
		"Cyrillic in a text":      {"m\u0430y_proceed: true", true},
		"a wide colon in a text":  {"may_proceed\uff1atrue", true},
		"a wide equals in a text": {"may_proceed\uff1dtrue", true},
	} {
		if got := containsAny(c.v, names); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What is empty, or cannot be seen, is missing; a zero and a no are there.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		payload map[string]any
		want    bool
	}{
		"nothing":          {nil, true},
		"another field":    {map[string]any{"a": map[string]any{"c": 1}}, true},
		"null":             {map[string]any{"a": map[string]any{"b": nil}}, true},
		"an empty text":    {map[string]any{"a": map[string]any{"b": ""}}, true},
		"blanks":           {map[string]any{"a": map[string]any{"b": " \t\n\u00a0"}}, true},
		"not to be seen":   {map[string]any{"a": map[string]any{"b": "\u200b\u2060"}}, true},
		"an empty list":    {map[string]any{"a": map[string]any{"b": []any{}}}, true},
		"an empty object":  {map[string]any{"a": map[string]any{"b": map[string]any{}}}, true},
		"a text above it":  {map[string]any{"a": "b"}, true},
		"a list above it":  {map[string]any{"a": []any{map[string]any{"b": 1}}}, true},
		"zero":             {map[string]any{"a": map[string]any{"b": int64(0)}}, false},
		"no":               {map[string]any{"a": map[string]any{"b": false}}, false},
		"a list":           {map[string]any{"a": map[string]any{"b": []any{nil}}}, false},
		"a text":           {map[string]any{"a": map[string]any{"b": "\u6587"}}, false},
		"a name with dots": {map[string]any{"a.b": 1}, false},
	} {
		if got := missing(c.payload, "a.b"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What an artifact needs in order to count. Each row breaks exactly one of these.
func TestArtifactsThatCount(t *testing.T) {
	r := &run{ID: "run_1", ProfileVersion: "1"}
	kind := &ArtifactType{ID: "receipt", Required: []string{"sum"}}
	now := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct {
		change func(a *Artifact)
		ok     bool
	}{
		"as it was admitted":  {func(*Artifact) {}, true},
		"of another type":     {func(a *Artifact) { a.Type = "bill" }, false},
		"of another run":      {func(a *Artifact) { a.Run = "run_2" }, false},
		"of no run":           {func(a *Artifact) { a.Run = "" }, false},
		"of another profile":  {func(a *Artifact) { a.ProfileVersion = "2" }, false},
		"from somewhere else": {func(a *Artifact) { a.CreatedVia = "" }, false},
		"another payload":     {func(a *Artifact) { a.Payload["sum"] = int64(2) }, false},
		"no digest":           {func(a *Artifact) { a.Digest = "" }, false},
		"not valid":           {func(a *Artifact) { a.Valid = false }, false},
		"at its end":          {func(a *Artifact) { a.Expires = now }, false},
		"before its end":      {func(a *Artifact) { a.Expires = now.Add(1) }, true},
		"found expired":       {func(a *Artifact) { a.Expires, a.Expired = now.Add(1), true }, false},
		"from the future":     {func(a *Artifact) { a.CreatedAt = now.Add(time.Minute) }, false},
		"of a faster clock":   {func(a *Artifact) { a.CreatedAt = now.Add(30 * time.Second) }, true},
		"replaced":            {func(a *Artifact) { a.SupersededBy = "x" }, false},
		"contradicted":        {func(a *Artifact) { a.ContradictedBy = "x" }, false},
		"without its sum": {func(a *Artifact) {
			a.Payload = map[string]any{"sum": []any{}}
			a.Digest = canonical.DigestOf(a.Payload)
		}, false},
	} {
		a := &Artifact{Type: "receipt", Run: "run_1", ProfileVersion: "1", CreatedVia: createdVia, Valid: true,
			Payload: map[string]any{"sum": int64(1)}}
		a.Digest = canonical.DigestOf(a.Payload)
		c.change(a)
		if why := a.counts(r, kind, schema{}, now); (why == "") != c.ok {
			t.Errorf("%s: %q", name, why)
		}
	}
}
