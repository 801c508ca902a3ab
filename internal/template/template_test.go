package template

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

func event() *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "h", Session: trammel.Session{ID: "s1", Dir: "/w", Agent: "root"},
		Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"cmd": "ls <&>", "n": int64(3)},
			Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls <&>", Paths: []string{"/a"}}}}
}

func TestWrite(t *testing.T) {
	for text, want := range map[string]string{
		`Safe? {{ .ToolName }} {{ .ToolInput | toJSON }}`:                  `Safe? [shell] [{"cmd":"ls <&>","n":3}]`,
		`{{ .ToolInput.cmd | truncate 3 }}`:                                `[ls …]`,
		`{{ .ToolInput.n }}{{ .Action | toJSON }}`:                         `[3][{"command":"ls <&>","kind":"shell","paths":["/a"]}]`,
		`{{ if .Prompt }}x{{ else }}{{ .SessionID }}{{ end }}`:             `[s1]`,
		`{{ range .Action.Paths }}{{ . }}{{ $.ToolName }}{{ end }}`:        `[/a][shell]`,
		`{{ with .ToolInput }}{{ .cmd }}{{ end }}`:                         `[ls <&>]`,
		`{{ $x := .ToolName }}{{ $x }}`:                                    `[shell]`,
		`{{ define "t" }}{{ .cmd }}{{ end }}{{ template "t" .ToolInput }}`: `[ls <&>]`,
		`{{ printf "%s|%s" .ToolName .Cwd }}`:                              `[shell|/w]`,
		`{{ .Action.Paths | toJSON }}`:                                     `[["/a"]]`,
		`plain`:                                                            `plain`,
	} {
		tmpl, err := New(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := tmpl.Write(event(), Values{Place: func(_, v string) string { return "[" + v + "]" }})
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}

// DA-50, case 23: what is wrong with a template is known when it is read.
func TestRefuses(t *testing.T) {
	for text, says := range map[string]string{
		`{{ .ToolNam }}`:                               "unknown name .ToolNam",
		`{{ if .Prompt }}{{ .Nope }}{{ end }}`:         "unknown name .Nope",
		`{{ range .Action.Paths }}{{ $.No }}{{ end }}`: "unknown name .No",
		`{{ .Action.Nope }}`:                           "unknown name .Nope",
		`{{ (.Nope) | toJSON }}`:                       "unknown name .Nope",
		`{{ .ToolName | exec }}`:                       "exec",
		`{{ .ToolName `:                                "unclosed",
	} {
		if _, err := New(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFailsLate(t *testing.T) {
	for _, text := range []string{`{{ .ToolInput.missing }}`, `{{ .ToolName | truncate -1 }}`, `{{ index .Action.Paths 7 }}`,
		`{{ range $i := 2000000 }}xxxxxxxx{{ end }}`} {
		tmpl, err := New(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := tmpl.Write(event(), Values{}); err == nil {
			t.Errorf("%s: %.40q", text, got)
		}
	}
}

// Cutting comes after cleaning: half a secret is one that nobody recognises.
func TestCleansBeforeItCuts(t *testing.T) {
	tmpl, err := New(`{{ .ToolInput.cmd | truncate 4 }}`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tmpl.Write(event(), Values{Clean: func(v string) string { return strings.ReplaceAll(v, "ls <&>", "***") }})
	if err != nil || got != "***" {
		t.Errorf("%q, %v", got, err)
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add(`{{ .ToolInput | toJSON | truncate 3 }}{{ range .Action.Paths }}{{ $.ToolName }}{{ end }}`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "range") || strings.Contains(text, "template") || strings.Contains(text, "printf") {
			return // the author may loop; the bound on the text ends it
		}
		tmpl, err := New(text)
		if err != nil {
			return
		}
		tmpl.Write(event(), Values{})
	})
}
