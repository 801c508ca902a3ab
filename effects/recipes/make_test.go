package recipes

import (
	"fmt"
	"slices"
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

// guards.md, "Caps that forget": variables that grow without end are a doubt, and so is a
// target that a pattern makes of another one.
func TestMakeGrowsNoFurther(t *testing.T) {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "V%d = %s\n", i, strings.Repeat(fmt.Sprintf("$(V%d) ", i+1), 100))
	}
	b.WriteString("V8 = x\nall:\n\techo $(V0)\n\trm x\n")
	for _, text := range []string{b.String(), "all: a\n%: %%%%b\n\trm $@\n"} {
		m := readMake(text)
		if got := m.script(nil); len(got) > 2*maxExpanded || !slices.Contains(strings.Split(got, "\n"), beyond) {
			t.Errorf("%.40q becomes %d bytes, %.80q", text, len(got), got)
		}
	}
}
