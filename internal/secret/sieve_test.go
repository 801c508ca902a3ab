package secret

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSieveSpares(t *testing.T) {
	s := Sieve{Bare: true, Spare: func(kind, value string) bool { return kind == "password" || value == "abc123def" }}
	for in, want := range map[string]string{
		"password=hunter22 token=abc123xyz":   "password=hunter22 token=[REDACTED]",
		"token=abc123def":                     "token=abc123def",
		"token=[REDACTED]":                    "token=[REDACTED]",
		"a glpat-abcdefghij0123456789 [REDAC": "a [REDACTED] [REDAC",
	} {
		if got, _ := s.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestPatchIsOfWholeArguments(t *testing.T) {
	type m = map[string]any
	in := m{"command": "x", "env": m{"A": "b", "API_TOKEN": "abc123def"}, "list": []any{"a", "glpat-abcdefghij0123456789"},
		"password": int64(12345678), "n": int64(1)}
	var s Sieve
	patch, found, named := s.Patch(in)
	want := m{"env": m{"A": "b", "API_TOKEN": "[REDACTED:token]"}, "list": []any{"a", "[REDACTED:gitlab-token]"},
		"password": "[REDACTED:password]"}
	if diff := cmp.Diff(want, patch); diff != "" || len(found) != 3 || named {
		t.Errorf("%s\nfound %d, named %v", diff, len(found), named)
	}
	if patch, found, _ := s.Patch(m{"path": "/x/.env", "content": "A=b"}); patch != nil || found != nil {
		t.Errorf("the content of a file went whole: %v", patch)
	}
	if _, _, named := s.Patch(m{"glpat-abcdefghij0123456789": true}); !named {
		t.Error("a secret as a name was not reported")
	}
	if patch, _, _ := s.Patch(nil); patch != nil {
		t.Errorf("nothing became %v", patch)
	}
}

func TestMarked(t *testing.T) {
	for text, want := range map[string]bool{"": false, "[REDACTED]": false, "[REDACTED:]": false, "[REDACTED:X]": false, "[REDACTED:": false,
		"a [REDACTED:jwt] b": true, "[REDACTED:[REDACTED:jwt]": true} {
		if got := Marked(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
