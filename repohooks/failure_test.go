//go:build unix

package repohooks

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// AIC-62, AIC-63: what a failure means.
func TestFailurePolicy(t *testing.T) {
	for name, c := range map[string]struct {
		event    string
		more     string
		blocking bool
		want     trammel.Decision
	}{
		"pre call fails":           {"PreAbilityCall", "", true, trammel.Deny},
		"pre create fails":         {"PreAbilityCreate", "", true, trammel.Deny},
		"pre call skips":           {"PreAbilityCall", "on_failure: skip", true, trammel.None},
		"prompt goes on":           {"PromptSubmit", "", true, trammel.None},
		"prompt fails":             {"PromptSubmit", "on_failure: fail", true, trammel.Deny},
		"AIC-63 not blocking":      {"PreAbilityCall", "", false, trammel.None},
		"AIC-63 prompt, not block": {"PromptSubmit", "", false, trammel.None},
	} {
		text := hook("h", c.event, script("h.sh"), c.more)
		if !c.blocking {
			text = strings.Replace(text, "blocking: true", "blocking: false", 1)
		}
		w := newWorld(t, map[string]string{".system/hooks/h.yaml": text, "scripts/hooks/h.sh": "#!/bin/sh\nexit 1\n"}).trust()
		context := map[string]Context{"PreAbilityCall": call("x", nil), "PreAbilityCreate": create("x", ""),
			"PromptSubmit": &PromptSubmit{SessionID: "s", UserRawInput: "x"}}[c.event]
		r, err := w.run(context, false)
		if err != nil || r.Decision != c.want || len(r.Errors) != 1 || len(r.Warnings) == 0 && c.want == trammel.None {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	// AIC-04, AIC-63: what is not blocking is left out of a blocking run, and
	// otherwise only remarks.
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": strings.Replace(hook("g", "PreAbilityCall", script("g.sh")), "blocking: true",
		"blocking: false", 1),
		"scripts/hooks/g.sh": guard(`"code":"ABILITY_DENIED","payload":{"reason":"no"}`)}).trust()
	if r := w.must(call("x", nil)); len(r.Ran) != 0 {
		t.Errorf("%+v", r)
	}
	if r, err := w.run(call("x", nil), false); err != nil || len(r.Ran) != 1 || !r.Proceed() || !strings.Contains(strings.Join(r.Logs, ""),
		"not blocking") {
		t.Errorf("%+v, %v", r, err)
	}
}
