package stdio

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/option"
)

const manifest = `runtime: {id: sample, kind: python_stdio, command: [python3, main.py], timeout_ms: LIMIT}
contract: {input_protocol: fst.hook.call.v1, output_protocol: fst.hook.result.v1}
hooks:
  - {id: evaluate, type: condition.evaluate, description: d}
  - {id: validate, type: artifact.validate, input_artifact_type: event, description: d}
  - {id: render, type: template.render, description: d}
`

// build is a hook of a pack that has a minute, and half a second where it sleeps.
func build(t *testing.T, code, config string) trammel.Handler {
	t.Helper()
	limit := "60000"
	if strings.Contains(code, "sleep") {
		limit = "500"
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is missing")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"pack/hooks.yaml": strings.Replace(manifest, "LIMIT", limit, 1), "pack/main.py": code} {
		os.MkdirAll(filepath.Join(dir, "pack"), 0o755)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err := New(trammel.Spec{Hook: "h", Kind: "pack", Dir: dir, Config: []byte(config)})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func event() *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "testhost", Session: trammel.Session{ID: "s1"},
		Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "make release", "deep": map[string]any{"a": int64(1)}}}}
}

func saying(result string) string {
	return "import sys\nfor line in sys.stdin:\n    print('''" + result + "''', flush=True)\n"
}

const echo = "import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'status': 'ok', 'facts': {'call': json.loads(line)}}), " +
	"flush=True)\n"

// FST-30: the hook gets the parts of the event that the declaration names, or
// the whole event.
func TestPayload(t *testing.T) {
	a, err := build(t, echo,
		`{"dir":"pack","hook":"evaluate","payload":{"line":"tool.input.command","deep":"tool.input.deep.a","none":"tool.input.x.y"}}`).Handle(
		context.Background(), event())
	if err != nil {
		t.Fatal(err)
	}
	call := a.Facts["call"].(map[string]any)
	if !reflect.DeepEqual(call["payload"], map[string]any{"line": "make release", "deep": int64(1), "none": nil}) ||
		call["run_id"] != "s1" || call["protocol_version"] != fst.CallProtocol {
		t.Errorf("%v", call)
	}
	a, err = build(t, echo, `{"dir":"pack","hook":"evaluate"}`).Handle(context.Background(), event())
	if err != nil {
		t.Fatal(err)
	}
	payload := a.Facts["call"].(map[string]any)["payload"].(map[string]any)
	if payload["event"] != "pre_tool_use" || payload["tool"].(map[string]any)["name"] != "shell" {
		t.Errorf("%v", payload)
	}
}

// FST-20, FST-21, FST-22, FST-45: results become facts, never a decision. A
// fact cannot pass for what the result itself says.
func TestFacts(t *testing.T) {
	for hook, c := range map[string]struct {
		says string
		want map[string]any
	}{
		"evaluate": {`{"status":"ok","facts":{"risk":3,"valid":true,"status":"x","diagnostics":"y"}}`, map[string]any{"risk": int64(3),
			"status": "ok", "diagnostics": []any{}}},
		"validate": {`{"status":"ok","valid":false,"facts":{"valid":true},"diagnostics":["d"]}`, map[string]any{"valid": false, "status": "ok",
			"diagnostics": []any{"d"}}},
		"render": {`{"status":"ok","rendered":"# x"}`, map[string]any{"rendered": "# x", "status": "ok", "diagnostics": []any{}}},
	} {
		a, err := build(t, saying(c.says), `{"dir":"pack","hook":"`+hook+`"}`).Handle(context.Background(), event())
		if err != nil || !reflect.DeepEqual(a.Facts, c.want) || a.Decision != trammel.None || a.Reason != "" || len(a.Context) > 0 {
			t.Errorf("%s: %+v, %v", hook, a, err)
		}
		if a.Trace == nil || a.Trace.Entrypoint == "" || a.Trace.Output == "" || a.Trace.Pack.Hook != hook ||
			a.Trace.Pack.Runtime != "sample" || a.Trace.Pack.Kind != "python_stdio" {
			t.Errorf("%s: %+v", hook, a.Trace)
		}
	}
}

// FST-41, FST-53, FST-54: a failure has its fixed diagnostic and its trace.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		code, config string
		want         trammel.Code
		detail       string
	}{
		{"import time\ntime.sleep(1000)", `{"dir":"pack","hook":"evaluate"}`, trammel.CodeTimeout, string(fst.Timeout)},
		{saying(`{"status":"ok","facts":{"approvalRecord":{}}}`), `{"dir":"pack","hook":"evaluate"}`, trammel.CodeAuthority,
			string(fst.Forbidden)},
		{saying(`{"status":"ok","confidence":1}`), `{"dir":"pack","hook":"evaluate"}`, trammel.CodeUnknownField,
			string(fst.NotAllowed) + `: "confidence"`},
		{saying(`{"status":"error","diagnostics":["no database"]}`), `{"dir":"pack","hook":"evaluate"}`, trammel.CodeError,
			"hook reported a failure: no database"},
		{"", `{"dir":"pack","hook":"none"}`, trammel.CodeConfig, string(fst.UnknownHook)},
		{"", `{"dir":"nowhere","hook":"evaluate"}`, trammel.CodeConfig, string(fst.BadManifest)},
	} {
		_, err := build(t, c.code, c.config).Handle(context.Background(), event())
		var f *trammel.Failure
		if !errors.As(err, &f) || f.Code != c.want || !strings.HasPrefix(f.Detail, c.detail) {
			t.Errorf("%s: got %v", c.detail, err)
		}
		if f == nil || f.Trace == nil || f.Trace.Pack.Hook == "" || f.Trace.Pack.Runtime == "" && c.detail != string(fst.BadManifest) ||
			c.want == trammel.CodeAuthority && f.Trace.Output == "" {
			t.Errorf("%s: the trace of %v", c.detail, err)
		}
	}
}

// In the engine: the facts are there when the guards are asked, whatever the
// order of declaration, and a failure blocks where that is declared (FST-42).
func TestBeforeTheGuards(t *testing.T) {
	run := func(code string) *trammel.Verdict {
		guard := trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
			if ev.Facts["h"]["risk"] == int64(9) {
				return trammel.Denial("too risky"), nil
			}
			return trammel.Answer{}, nil
		})
		engine, err := trammel.New([]trammel.Hook{
			{ID: "guard", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard, Handler: guard},
			{ID: "h", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Observe, OnError: trammel.BlockOnError, Timeout: time.Minute,
				Handler: build(t, code, `{"dir":"pack","hook":"evaluate"}`)},
		})
		if err != nil {
			t.Fatal(err)
		}
		return engine.Dispatch(context.Background(), event())
	}
	if v := run(saying(`{"status":"ok","facts":{"risk":9}}`)); v.Decision != trammel.Deny || v.Reason != "too risky" {
		t.Errorf("%+v", v)
	}
	if v := run(saying(`{"status":"ok","facts":{"risk":1}}`)); v.Decision != trammel.None {
		t.Errorf("%+v", v)
	}
	if v := run("raise SystemExit(1)"); v.Decision != trammel.Deny {
		t.Errorf("%+v", v)
	}
}

func TestConfig(t *testing.T) {
	for config, says := range map[string]string{
		`{}`:                     "dir",
		`{"dir":"x"}`:            "hook",
		`{"dir":"x","hook":" "}`: "hook",
		`{"dir":"x","hok":"y"}`:  "unknown option",
		`{"dir":1}`:              "dir",
		`{"dir":"x","hook":"y","payload":{"a":""}}`:     "payload.a",
		`{"dir":"x","hook":"y","payload":{"a":"b..c"}}`: "payload.a",
	} {
		_, err := New(trammel.Spec{Config: []byte(config)})
		var o *option.Error
		if !errors.As(err, &o) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", config, err)
		}
	}
	h, err := New(trammel.Spec{Config: []byte(`{"dir":"x","hook":"y"}`)})
	if err != nil || h.(trammel.Explainer).Explain() != "calls y of the pack x" || !h.(trammel.Waiter).Waits() || !h.(trammel.Early).Early() {
		t.Error(err)
	}
}
