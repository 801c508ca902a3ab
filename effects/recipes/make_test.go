package recipes

import (
	"fmt"
	"strings"
	"testing"
)

// A makefile runs what its targets need, wherever it is written.
func TestMake(t *testing.T) {
	for text, want := range map[string]string{
		"D := x\nall:\n\trm $(D)\n":                   "rm x",
		"all: $(T)\n$(T):\n\trm x\n":                  "rm x",
		"$(info a: b)\nall:\n\trm x\n":                "rm x",
		"ifeq ($(A),b: c)\nendif\nall:\n\trm x\n":     "rm x",
		"ifx : y\n\trm x\n":                           "rm x",
		"A := $(shell rm x)\nall:\n\ttrue\n":          "rm x\ntrue",
		"A := ${shell rm x}\nall:\n\ttrue\n":          "rm x\ntrue",
		"export A = $(shell rm x)\nall:\n\ttrue\n":    "rm x\ntrue",
		"A != rm x\nall:\n\ttrue\n":                   " rm x\ntrue",
		"A = $(shell rm x)\nall:\n\ttrue\n":           "true",
		"Q = @\nall:\n\t$(Q)rm x\n":                   "rm x",
		"A := $(shell echo $$(rm x))\nall:\n\ttrue\n": "echo $(rm x)\ntrue",
	} {
		m := readMake(text)
		if got := m.script(nil); got != want {
			t.Errorf("%q runs %q, expected %q", text, got, want)
		}
	}
}

// guards.md, "Caps that forget": what lies behind too many targets is a doubt.
func TestMakeTargets(t *testing.T) {
	var b strings.Builder
	for i := range 2 * maxTargets {
		fmt.Fprintf(&b, "t%d: t%d\n", i, i+1)
	}
	fmt.Fprintf(&b, "t%d:\n\trm x\n", 2*maxTargets)
	m := readMake(b.String())
	if got := m.script(nil); got != beyond {
		t.Errorf("got %q", got)
	}
}
