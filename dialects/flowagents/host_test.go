package flowagents

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect  = &Dialect
	_ dialects.CallDecoder = &Dialect
	_ dialects.FailOpener  = &Dialect
	_ dialects.Baseliner   = &Dialect
)

// FLOW-01, FLOW-02: events by the contract's names, by any host's, and without one.
func TestDecodes(t *testing.T) { dialectsuite.Decodes(t, &Dialect) }

// env is an environment for a test.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

const write = `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":"{}","file_path":"biome.json"}}`

// FLOW-03: the limit is counted in bytes; what is cut off is carried in-band,
// also if somebody before us has cut it. It can be lowered and not raised.
func TestTruncation(t *testing.T) {
	big := strings.Replace(write, `"{}"`, `"`+strings.Repeat("é", 600_000)+`"`, 1) // 600,000 characters, 1.2 MB
	for name, c := range map[string]struct {
		raw  string
		env  func(string) string
		cut  bool
		kind trammel.Kind
	}{
		"whole":              {write, env(), false, trammel.PreToolUse},
		"too large":          {big, env(), true, trammel.PreToolUse},
		"not to be raised":   {big, env("SA_HOOK_INPUT_MAX_BYTES", "9999999"), true, trammel.PreToolUse},
		"lowered":            {write, env("SA_HOOK_INPUT_MAX_BYTES", "60"), true, trammel.PreToolUse},
		"cut before us":      {big[:900_000], env("SA_HOOK_INPUT_TRUNCATED", "1"), true, trammel.PreToolUse},
		"cut, and not said":  {big[:900_000], env(), true, trammel.PreToolUse},
		"said, but whole":    {write, env("SA_HOOK_INPUT_TRUNCATED", "1"), true, trammel.PreToolUse},
		"no name to be seen": {`{"tool_input":{"content":"` + big, env(), true, trammel.PreToolUse},
		"another event":      {strings.Replace(big, "PreToolUse", "Stop", 1), env(), true, trammel.Stop},
		"zero is nothing":    {write, env("SA_HOOK_INPUT_TRUNCATED", "0", "SA_HOOK_INPUT_MAX_BYTES", "0"), false, trammel.PreToolUse},
	} {
		ev, err := Dialect.DecodeCall([]byte(c.raw), "", c.env)
		if err != nil || (ev.Fields[dialects.Truncated] == true) != c.cut || ev.Kind != c.kind {
			t.Errorf("%s: %v, kind %v, truncated %v", name, err, ev.Kind, ev.Fields[dialects.Truncated])
		}
		if string(ev.Raw) != c.raw {
			t.Errorf("%s: the payload would not be repeated whole", name)
		}
	}
}

// A payload that is no object is let through, as the contract has it. What an
// agent can bring about by what it writes is not.
func TestWhatCannotBeRead(t *testing.T) {
	in := func(old, new string) string { return strings.Replace(write, old, new, 1) }
	for name, c := range map[string]struct {
		raw  string
		open bool
	}{
		"nothing":             {"", true},
		"text":                {"hello", true},
		"a list":              {`[1]`, true},
		"null":                {"null", true},
		"NUL in the content":  {in(`"{}"`, `"\u0000"`), false},
		"a lone surrogate":    {in(`"{}"`, `"\ud800"`), false},
		"not UTF-8":           {in(`"{}"`, "\"\xff\""), false},
		"a number too large":  {in(`"{}"`, "1e999"), false},
		"a duplicate":         {in(`"content"`, `"file_path":"a","content"`), false},
		"twins":               {in(`"content"`, `"File_Path":"a","content"`), false},
		"nested deep":         {in(`"{}"`, strings.Repeat("[", 500)+strings.Repeat("]", 500)), false},
		"something behind":    {write + "{}", false},
		"a list of arguments": {in(`{"content":"{}","file_path":"biome.json"}`, `["biome.json"]`), false},
		"no name, a NUL":      {in(`"hook_event_name":"PreToolUse",`, "") + "x", false},
		"NUL in a prompt":     {`{"hook_event_name":"UserPromptSubmit","prompt":"\u0000"}`, true},
		"a broken stop":       {`{"hook_event_name":"Stop","cwd":1}`, true},
	} {
		ev, err := Dialect.DecodeCall([]byte(c.raw), "", env())
		var f *trammel.Failure
		if !errors.As(err, &f) || f.Code != trammel.CodeInput {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := Dialect.LetsThrough(ev, f); got != c.open {
			t.Errorf("%s: let through %v, expected %v", name, got, c.open)
		}
	}
	if Dialect.LetsThrough(&trammel.Event{Kind: trammel.Stop}, &trammel.Failure{Code: trammel.CodeConfig}) {
		t.Error("a broken configuration is not a matter of the contract")
	}
}

// FLOW-20, FLOW-21, FLOW-22: what an adapter is answered.
func TestEncodes(t *testing.T) {
	type answer = trammel.Answer
	for name, c := range map[string]struct {
		kind   trammel.Kind
		answer answer
		want   trammel.Reply
	}{
		"nothing": {trammel.PreToolUse, answer{}, trammel.Reply{Stdout: []byte(write)}},
		"deny":    {trammel.PreToolUse, trammel.Denial("BLOCKED: no"), trammel.Reply{Exit: 2, Stderr: []byte("BLOCKED: no\n")}},
		"deny with context": {trammel.UserPromptSubmit, answer{Decision: trammel.Deny, Reason: "no", Context: []string{"c"}, Notice: "n"},
			trammel.Reply{Exit: 2, Stderr: []byte("no\n")}},
		"guidance": {trammel.UserPromptSubmit, answer{Context: []string{"one", "two"}}, trammel.Reply{Stdout: []byte(write +
			"\n\n---\none\n\ntwo\n---")}},
		"no guidance here": {trammel.PreToolUse, answer{Context: []string{"one"}}, trammel.Reply{Stdout: []byte(write)}},
		"notice":           {trammel.Stop, answer{Notice: "careful"}, trammel.Reply{Stdout: []byte(write), Stderr: []byte("careful\n")}},
		"stop":             {trammel.Stop, trammel.Denial("not yet"), trammel.Reply{Exit: 2, Stderr: []byte("not yet\n")}},
		"ask is a denial": {trammel.PreToolUse, answer{Decision: trammel.Ask, Reason: "sure?"}, trammel.Reply{Exit: 2,
			Stderr: []byte("sure? A person has to decide this, but flow-agents cannot ask one on pre_tool_use. To allow it, a person can do it " +
				"themselves, or change the rule that asks.\n")}},
		"cannot be blocked": {trammel.SessionStart, trammel.Denial("no"), trammel.Reply{Stdout: []byte(write),
			Stderr: []byte("no. This should have been blocked, but flow-agents cannot prevent it on session_start.\n")}},
		"an unknown event": {trammel.Other, trammel.Denial("no"), trammel.Reply{Exit: 2, Stderr: []byte("no\n")}},
		"a rewrite is denied": {trammel.PreToolUse, answer{Input: map[string]any{"file_path": "x"}}, trammel.Reply{Exit: 2,
			Stderr: []byte("A hook corrected this, but flow-agents cannot change it on pre_tool_use. Use this instead: {\"file_path\":\"x\"}\n")}},
	} {
		ev := &trammel.Event{Kind: c.kind, Host: Host.System, Raw: []byte(write)}
		r := Dialect.EncodeVerdict(ev, &trammel.Verdict{Answer: c.answer})
		if string(r.Stdout) != string(c.want.Stdout) || string(r.Stderr) != string(c.want.Stderr) || r.Exit != c.want.Exit {
			t.Errorf("%s: %q, %q, %d", name, r.Stdout, r.Stderr, r.Exit)
		}
	}
}

// What we say as a host is what we read from a hook.
func TestBothHalvesAgree(t *testing.T) {
	ev := writeEvent()
	ev.Raw, _ = Dialect.EncodeEvent(ev)
	for name, a := range map[string]trammel.Answer{
		"nothing": {}, "deny": trammel.Denial("no"), "notice": {Notice: "n"},
	} {
		r := Dialect.EncodeVerdict(ev, &trammel.Verdict{Answer: a})
		got, err := Dialect.DecodeAnswer(ev, trammel.Output(r))
		if err != nil || got.Decision != a.Decision || got.Reason != a.Reason || got.Notice != a.Notice {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// FLOW-40, FLOW-41: the seed's table, with strict as a superset.
func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		profile, meantFor string
		want              bool
	}{
		{"", "", true}, {"standard", "", true}, {"strict", "", true}, {"minimal", "", false}, {"nonsense", "", true},
		{"", "default", true}, {"minimal", "default", false},
		{"minimal", "minimal", true}, {"standard", "minimal", false}, {"strict", "minimal", true},
		{"standard", "strict", false}, {"strict", "strict", true},
		{" Standard ", "minimal, standard", true},
	} {
		if got := Runs(c.profile, c.meantFor); got != c.want {
			t.Errorf("profile %q, meant for %q: %v", c.profile, c.meantFor, got)
		}
	}
	names := func(s dialects.Switches) string {
		var out []string
		for _, u := range Dialect.Baseline(s) {
			out = append(out, strings.TrimSpace(u.Policy+" "+string(u.With)))
		}
		return strings.Join(out, ", ")
	}
	all := "config-protection, workflow-steering, quality-gate, evidence-capture, stop-goal-fit"
	for name, c := range map[string]struct {
		s    dialects.Switches
		want string
	}{
		"all":          {dialects.Switches{Getenv: env()}, "telemetry, " + all},
		"minimal":      {dialects.Switches{Getenv: env("SA_HOOK_PROFILE", "minimal")}, "telemetry"},
		"no telemetry": {dialects.Switches{Disabled: "telemetry", Getenv: env()}, all},
		"strict": {dialects.Switches{Getenv: env("SA_HOOK_PROFILE", "strict")},
			`telemetry, config-protection, workflow-steering, quality-gate {"strict":true}, evidence-capture, stop-goal-fit`},
		"disabled": {dialects.Switches{Getenv: env("SA_DISABLED_HOOKS", "post:quality-gate, Stop:Goal-Fit,config-protection,x")},
			"telemetry, workflow-steering, evidence-capture"},
		"configured": {dialects.Switches{Disabled: "workflow-steering", Profile: "standard", Getenv: env("SA_HOOK_PROFILE", "minimal")},
			"telemetry, config-protection, quality-gate, evidence-capture, stop-goal-fit"},
		"called by name": {dialects.Switches{Called: true, Getenv: env("SA_HOOK_PROFILE", "minimal")}, all},
		"no environment": {dialects.Switches{Fixed: true, Getenv: env()},
			`telemetry {"ignore_environment":true}, config-protection, workflow-steering, quality-gate {"environment":false}, ` +
				`evidence-capture, stop-goal-fit {"environment":false}`},
	} {
		if got := names(c.s); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, policy := range surface {
		if EventOf(policy) == "" {
			t.Errorf("%s is for no event", policy)
		}
	}
}

// FLOW-63.
func TestTimeout(t *testing.T) {
	for want, getenv := range map[time.Duration]func(string) string{
		30 * time.Second:     env("FLOW_AGENTS_CODEX_HOOK_TIMEOUT_MS", "5"),
		5 * time.Millisecond: env("FLOW_AGENTS_HOOK_RUNTIME", "codex", "FLOW_AGENTS_CODEX_HOOK_TIMEOUT_MS", "5"),
		7 * time.Millisecond: env("FLOW_AGENTS_HOOK_RUNTIME", "claude-code", "FLOW_AGENTS_CLAUDE_HOOK_TIMEOUT_MS", "7"),
		9 * time.Millisecond: env("FLOW_AGENTS_HOOK_RUNTIME", "claude-code", "FLOW_AGENTS_CLAUDE_CODE_HOOK_TIMEOUT_MS", "9",
			"FLOW_AGENTS_CLAUDE_HOOK_TIMEOUT_MS", "7"),
		time.Hour:             env("FLOW_AGENTS_HOOK_RUNTIME", "pi", "FLOW_AGENTS_PI_HOOK_TIMEOUT_MS", "999999999999"),
		11 * time.Millisecond: env("FLOW_AGENTS_HOOK_RUNTIME", "pi", "FLOW_AGENTS_PI_HOOK_TIMEOUT_MS", "11"),
	} {
		if got := Timeout(getenv); got != want {
			t.Errorf("%v, expected %v", got, want)
		}
	}
	if got := Timeout(env("FLOW_AGENTS_HOOK_RUNTIME", "pi", "FLOW_AGENTS_PI_HOOK_TIMEOUT_MS", "-1")); got != 30*time.Second {
		t.Errorf("a negative time counts: %v", got)
	}
}

// No event of ours goes beyond what the catalogue allows.
func TestPowers(t *testing.T) {
	for _, kind := range trammel.Kinds() {
		if beyond := Dialect.Powers(kind).Can &^ kind.Can(); beyond != 0 {
			t.Errorf("%v: %v is more than the catalogue knows of", kind, beyond)
		}
		for _, a := range kind.Aliases() {
			if got, ok := kindOf(a.Name); a.System == Host.System && (!ok || got != kind) {
				t.Errorf("%s is %v here, and %v in the catalogue", a.Name, got, kind)
			}
		}
	}
}

func FuzzDecodeCall(f *testing.F) {
	for _, p := range dialectsuite.Payloads(f) {
		f.Add(p.Raw, "", "")
	}
	f.Add([]byte(write[:50]), "Stop", "1")
	f.Fuzz(func(t *testing.T, raw []byte, name, truncated string) {
		ev, err := Dialect.DecodeCall(raw, name, env("SA_HOOK_INPUT_TRUNCATED", truncated))
		if ev == nil || !bytes.Equal(ev.Raw, raw) {
			t.Fatal("no event, or not its payload")
		}
		if err != nil && trammel.CodeOf(err) != trammel.CodeInput {
			t.Fatal(err)
		}
		r := Dialect.EncodeVerdict(ev, &trammel.Verdict{})
		if !bytes.Equal(r.Stdout, raw) || r.Exit != 0 {
			t.Fatal("an allowed event is not repeated as it is")
		}
		v := trammel.Verdict{Answer: trammel.Denial("no")}
		if r := Dialect.EncodeVerdict(ev, &v); slices.Contains([]trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.Other}, ev.Kind) &&
			(r.Exit != 2 || len(r.Stdout) > 0) {
			t.Fatal("a denial got lost")
		}
	})
}
