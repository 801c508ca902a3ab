//go:build unix

package repohooks

import (
	"slices"
	"strings"
	"testing"
)

func (w *world) codes() (out []string) {
	w.Helper()
	found, err := w.Check()
	if err != nil {
		w.Fatal(err)
	}
	for _, f := range found {
		if f.Severity != "info" {
			out = append(out, f.Code+" "+f.HookID)
		}
	}
	slices.Sort(out)
	return out
}

// AIC-64: hooks that are never used, that object to everything, that fail, that
// say something where nobody listens.
func TestCheckUsage(t *testing.T) {
	w := newWorld(t, map[string]string{
		".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")),
		"scripts/hooks/g.sh":   guard(`"code":"ABILITY_DENIED","payload":{"reason":"no"}`),
		".system/hooks/f.yaml": hook("f", "PreAbilityCall", script("f.sh"), "on_failure: skip"), "scripts/hooks/f.sh": "#!/bin/sh\nexit 1\n",
		".system/hooks/fine.yaml":   hook("fine", "PreAbilityCall", script("fine.sh")),
		".system/hooks/unused.yaml": hook("unused", "PreAbilityCall", script("fine.sh"), "match: {ability_scope: nothing}"),
		".system/hooks/off.yaml":    strings.Replace(hook("off", "PreAbilityCall", script("fine.sh")), "enabled: true", "enabled: false", 1),
		".system/hooks/late.yaml":   hook("late", "PostAbilityCall", script("late.sh")),
		"scripts/hooks/fine.sh":     says("{}"), "scripts/hooks/late.sh": says(`{"hook_signals":[{}]}`),
	}).trust()
	if got := w.codes(); got != nil {
		t.Errorf("with nothing on record: %v", got)
	}
	for range 20 {
		w.must(call("x", nil))
	}
	w.must(&PostAbilityCall{AbilityID: "x", Status: Success})
	if got := w.codes(); !slices.Equal(got, []string{"failing f", "misplaced_signals late", "noisy g", "unused unused"}) {
		t.Errorf("%v", got)
	}
}

// AIC-64, AIC-53: what refers to nothing.
func TestCheckReferences(t *testing.T) {
	w := newWorld(t, map[string]string{
		".system/hooks/a.yaml": hook("a", "PreAbilityCall", script("a.sh"),
			"match: {ability_scope: [db.write.user_row, db.gone, \"any.*\"]}"),
		".system/hooks/b.yaml":                  hook("b", "PostAbilityCall", script("gone.sh")),
		".system/hooks/c.yaml":                  "nonsense",
		"scripts/hooks/a.sh":                    says("{}"),
		".system/registry/low-level/write.yaml": operation + "hooks: {pre_call: [a, nothing], pre_create: [a], post_call: [b]}\n",
	})
	want := []string{"dangling_binding a", "dangling_binding a", "dangling_binding b", "dangling_binding nothing", "declaration_broken ",
		"handler_missing b", "not_trusted a", "not_trusted b", "unknown_ability a"}
	if got := w.codes(); !slices.Equal(got, want) {
		t.Errorf("found %v\nexpected %v", got, want)
	}
	found, _ := w.Check()
	for _, f := range found { // with the place of each, as tasks.md promises
		if f.Code == "dangling_binding" && f.HookID == "nothing" && !strings.HasPrefix(f.Message,
			".system/registry/low-level/write.yaml:") {
			t.Error(f.Message)
		}
		if f.HookID == "nothing" && f.Code == "dangling_binding" && strings.Contains(f.Message, ":1:1:") {
			t.Error(f.Message)
		}
	}
	w.write(".system/hooks/c.yaml", hook("c", "PreAbilityCreate", script("a.sh")))
	w.trust()
	want = []string{"dangling_binding a", "dangling_binding nothing", "handler_missing b", "unknown_ability a"}
	if got := w.codes(); !slices.Equal(got, want) {
		t.Errorf("found %v\nexpected %v", got, want)
	}
}
