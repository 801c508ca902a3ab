package trammel

import (
	"testing"
	"time"
)

// Names of other systems are read as each system means them; one that two
// systems use for different moments needs its system.
func TestSpellings(t *testing.T) {
	Spell("test", func(add func(system, name string, kind Kind)) {
		add("one", "Test-Before", PreToolUse)
		add("one", "TestBoth9", PreToolUse)
		add("two", "testBoth9", PostToolUse)
		add("two", "test_same", Stop)
		add("one", "testSame", Stop)
	})
	defer Spell("test", func(func(system, name string, kind Kind)) {})
	for name, want := range map[string]Kind{
		"test_before": PreToolUse, "TESTBEFORE": PreToolUse, "one/testboth9": PreToolUse, "two/TestBoth9": PostToolUse,
		"TestSame": Stop, "TESTSAME": Stop, "pre_tool_use": PreToolUse, "PreToolUse": PreToolUse, "TestBoth9": Other,
		"three/test_same": Other, "one/pre": Other, "test_befor": Other, "test_both": Other, "": Other, "tęst_same": Other,
	} {
		if got, ok := ParseKind(name); got != want && ok || ok != (want != Other) {
			t.Errorf("%q is %v, %v, want %v", name, got, ok, want)
		}
	}
	if got := PostToolUse.Aliases(); len(got) == 0 || got[len(got)-1] != (Alias{"two", "testBoth9"}) {
		t.Errorf("%v", got)
	}
	Spell("test", func(add func(system, name string, kind Kind)) { add("one", "TestOther", Stop) })
	if _, ok := ParseKind("test_before"); ok {
		t.Error("a list that was replaced still counts")
	}
}

func TestWordsForCapabilities(t *testing.T) {
	for c, want := range map[Capabilities]string{0: "observe only", Prevents: "observe only", Block | Prevents: "block",
		CanAsk | RewriteOutput: "ask, rewrite output", Approve | Inject: "inject context, grant"} {
		if got := c.String(); got != want {
			t.Errorf("%b is %q, want %q", c, got, want)
		}
	}
	all := Kinds()
	if len(all) != len(catalogue)-1 {
		t.Errorf("%d kinds", len(all))
	}
	for _, k := range all {
		if got, ok := ParseKind(k.String()); !ok || got != k {
			t.Errorf("%v is read as %v", k, got)
		}
	}
}

func TestTimeOfAnEvent(t *testing.T) {
	at := time.Unix(1000, 0)
	if got := (&Event{Time: at}).Now(); got != at {
		t.Errorf("%v", got)
	}
	if got := (&Event{}).Now(); time.Since(got) > time.Minute {
		t.Errorf("%v", got)
	}
}
