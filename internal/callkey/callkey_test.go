package callkey_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"github.com/trammel-dev/trammel/internal/callkey"
)

// Two calls that differ in anything have different digests; two ways to write
// the same call have the same (approvals.md, "args_sha256").
func TestInjective(t *testing.T) {
	type call struct {
		tool, project, dir, agent, policy string
		input                             map[string]any
	}
	in := func(v any) map[string]any { return map[string]any{"v": v} }
	different := []call{
		{}, {tool: "a"}, {project: "a"}, {dir: "a"},
		{dir: "b"}, {agent: "a"}, {policy: "a"}, {tool: `a","b`}, {tool: "a", project: "b"}, {tool: "ab"}, {tool: "\xff"},
		{tool: "\ufffd"}, {tool: `"\xff"`}, {project: "\xff"}, {project: "\xfe"}, {input: map[string]any{"": ""}},
		{input: map[string]any{"w": nil}},
		{input: in(nil)}, {input: in(false)}, {input: in("")}, {input: in("null")}, {input: in("1")}, {input: in(int64(1))},
		{input: in(int64(-1))},
		{input: in(1.5)}, {input: in(math.Nextafter(1.5, 2))}, {input: in(math.MaxFloat64)}, {input: in(math.SmallestNonzeroFloat64)},
		{input: in(int64(math.MaxInt64))}, {input: in(int64(math.MaxInt64 - 1))}, {input: in(uint64(math.MaxUint64))}, {input: in(1e21)},
		{input: in([]any{})}, {input: in(map[string]any{})}, {input: in([]any{"a", "b"})}, {input: in([]any{"a,b"})},
		{input: in([]any{"b", "a"})},
		{input: in([]any{[]any{"a"}, "b"})}, {input: in(map[string]any{"a": "b"})}, {input: in("é")}, {input: in("e\u0301")},
		{input: in("\u0000")},
		{input: in("\u202e")}, {input: in(" ")}, {input: in("\u00a0")},
	}
	seen := map[string]int{}
	for i, c := range different {
		args, err := callkey.Args(c.input)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		d := (&callkey.Call{Tool: c.tool, Args: args, Project: c.project, Dir: c.dir, Agent: c.agent, Policy: c.policy}).Digest()
		if j, twice := seen[d]; twice {
			t.Errorf("the same digest: %+v and %+v", different[j], c)
		}
		seen[d] = i
	}
	for _, same := range [][2]any{{int64(100), 100.0}, {int64(100), 1e2}, {int(7), int64(7)}, {uint64(7), int64(7)},
		{[]string{"a"}, []any{"a"}}} {
		x, errX := callkey.Args(in(same[0]))
		y, errY := callkey.Args(in(same[1]))
		if errX != nil || errY != nil || string(x) != string(y) {
			t.Errorf("%v and %v are the same number: %s %s", same[0], same[1], x, y)
		}
	}
}

// A tool of an MCP server runs where its server does, so the same call through a
// hook and through the proxy is one call (MCP-35).
func TestToolsOfServersHaveNoDirectory(t *testing.T) {
	at := func(tool, dir string) string { return (&callkey.Call{Tool: tool, Dir: dir}).Digest() }
	if at("mcp__bank__pay", "/a") != at("mcp__bank__pay", "/b") || at("Bash", "/a") == at("Bash", "/b") {
		t.Error("the directory counts for a tool of a server, or does not for one of the agent")
	}
}

// What has no form of its own is refused.
func TestRefused(t *testing.T) {
	for _, v := range []any{math.NaN(), math.Inf(1), "\xff", []any{"\xff"}, []string{"\xff"}, map[string]any{"\xff": 1},
		map[string]string{"k": "\xff"},
		map[string]any{"k": []any{"\xff"}}, func() {}, struct{}{}} {
		if args, err := callkey.Args(map[string]any{"v": v}); err == nil {
			t.Errorf("%q: %s", v, args)
		}
	}
}

// The form that approvals.md gives: a call in its project's directory.
func TestForm(t *testing.T) {
	c := callkey.Call{Tool: "pay", Args: []byte(`{"amount":60000}`), Project: "/p", Dir: "/p", Agent: "al", Policy: "d1"}
	want := sha256.Sum256([]byte(`["trammel-approval-v1","pay",{"amount":60000},"/p","al","d1"]`))
	if got := c.Digest(); got != hex.EncodeToString(want[:]) {
		t.Error(got)
	}
}
