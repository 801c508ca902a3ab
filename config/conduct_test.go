package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/layers"
)

// How a hook runs where its declaration says nothing, and where it does: what it
// may do, what its failure means, whether it holds in doubt, whether it is on
// trial, and whether a person may overrule it (TEAM-26).
func TestConduct(t *testing.T) {
	for declared, want := range map[string]string{
		`on: pre_tool_use, deny: {reason: x}`:                    "guard default doubt yields",
		`on: pre_tool_use, deny: {reason: x}, unknown: allow`:    "guard default yields",
		`on: pre_tool_use, context: {text: x}`:                   "context default yields",
		`on: pre_tool_use, context: {text: x}, unknown: ask`:     "context default doubt yields",
		`on: post_tool_use, deny: {reason: x}`:                   "guard default yields",
		`on: pre_tool_use, deny: {reason: x}, trial: true`:       "guard default doubt trial yields",
		`on: pre_tool_use, deny: {reason: x}, on_error: warn`:    "guard warn doubt yields",
		`on: pre_tool_use, run: x`:                               "guard default doubt yields",
		`on: pre_tool_use, run: x, may: context`:                 "context default yields",
		`on: session_end, run: x`:                                "context default yields",
		`on: user_prompt_transformed, run: x`:                    "rewrite default yields",
		`on: [user_prompt_transformed, stop], run: x`:            "guard default yields",
		`on: stop, check: x`:                                     "guard block yields",
		`on: stop, check: x, on_error: ignore`:                   "guard ignore yields",
		`on: pre_tool_use, pack: {dir: x, hook: h}`:              "observe block yields",
		`on: session_end, pack: {dir: x, hook: h}`:               "observe default yields",
		`on: pre_tool_use, use: guard`:                           "guard default doubt yields",
		`on: session_end, use: observer`:                         "observe default yields",
		`on: pre_tool_use, run: x, on_error: block, priority: 3`: "guard block doubt yields 3",
		`on: session_end, run: x, on_error: block`:               "none of the hook's events can be blocked",
		`on: pre_tool_use, deny: {reason: x}, may: context`:      "deny is more than the hook may do",
	} {
		c, err := compileOne("version: 1\nhooks: [{id: h, " + declared + "}]\n")
		got := fmt.Sprint(err)
		if err == nil {
			h := &c.Hooks[0]
			got = fmt.Sprint(h.May, " ", h.OnError)
			if h.Match.Doubt {
				got += " doubt"
			}
			if h.Trial {
				got += " trial"
			}
			if h.Yields {
				got += " yields"
			}
			if h.Priority != 0 {
				got += fmt.Sprint(" ", h.Priority)
			}
		}
		if err == nil && got != want || err != nil && !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", declared, got, want)
		}
	}
	for layer, want := range map[layers.Layer]bool{layers.Machine: false, layers.User: true} {
		set := &layers.Set{Files: []layers.File{file(layer, "version: 1\nhooks: [{id: h, on: pre_tool_use, deny: {reason: x}}]\n")}}
		if c, err := Compile(set, testRegistry); err != nil || c.Hooks[0].Yields != want {
			t.Errorf("%v: %v", layer, err)
		}
	}
}
