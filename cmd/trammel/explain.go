package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/host"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/policytest"
)

type explainFlags struct {
	host, event, tool, command, path, prompt, input, dir string
	asJSON                                               bool
}

func explainCmd() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show what each hook says about one event, and why others do not match",
		Long: `Judges one event without recording it and shows, for every hook that listens to
its kind: whether it matched or why not, what it said, and how long it took.
Command hooks really run. The event is put together from flags, or read from
stdin in the language of --host.`,
		Example: `  trammel explain --tool Bash --command "git push --force"
  trammel explain --tool Write --path biome.json
  trammel explain --host claude-code < payload.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return explain(cmd, &f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.host, "host", "claude-code", "the host that reports the event")
	fl.StringVar(&f.event, "event", "", "the event, in any system's spelling (default pre_tool_use)")
	fl.StringVar(&f.tool, "tool", "", "the tool's name")
	fl.StringVar(&f.command, "command", "", "the tool's command")
	fl.StringVar(&f.path, "path", "", "the file that the tool works on")
	fl.StringVar(&f.prompt, "prompt", "", "the prompt")
	fl.StringVar(&f.input, "input", "", "the tool's arguments, as JSON")
	fl.StringVar(&f.dir, "dir", "", "the directory to look from (default: the current one)")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func explain(cmd *cobra.Command, f *explainFlags) error {
	p, err := program()
	if err != nil {
		return err
	}
	ev, err := f.read(cmd.InOrStdin(), p.Dialects)
	if err != nil {
		return err
	}
	dir, err := absolute(f.dir)
	if err != nil {
		return err
	}
	if ev.Session.Dir == "" {
		ev.Session.Dir = dir
	}
	judged, hooks, err := p.Explain(cmd.Context(), ev, []string{dir, ev.Session.Dir})
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), explainedJSON(judged, hooks))
	}
	printExplained(cmd.OutOrStdout(), judged, hooks, colors())
	return nil
}

func printExplained(w io.Writer, j *host.Judged, hooks []host.Explained, c policytest.Colors) {
	v := j.Verdict
	fmt.Fprintf(w, "%s", j.Event.Kind)
	if t := j.Event.Tool; t != nil {
		fmt.Fprintf(w, " of %s: %s", t.Name, t.Action.Kind)
		if t.Action.Command != "" {
			fmt.Fprintf(w, " %q", t.Action.Command)
		}
		if len(t.Action.Paths) > 0 {
			fmt.Fprintf(w, " on %s", strings.Join(t.Action.Paths, ", "))
		}
	}
	fmt.Fprint(w, "\n\n")
	for _, e := range hooks {
		if e.Run == nil {
			fmt.Fprintf(w, "%s  –  %s: %s%s\n", c.Dim, e.Hook.ID, e.Why, c.Off)
			continue
		}
		mark, color := "·", ""
		switch {
		case e.Run.Code != "":
			mark, color = "!", c.Bad
		case e.Run.Answer.Decision == trammel.Deny:
			mark, color = "✗", c.Bad
		case e.Run.Answer.Decision == trammel.Allow:
			mark, color = "✓", c.Good
		}
		fmt.Fprintf(w, "%s  %s  %s%s (%s, %d µs): %s\n", color, mark, e.Hook.ID, c.Off, e.Run.Phase, e.Run.Took.Microseconds(), said(e.Run))
	}
	if len(hooks) == 0 {
		fmt.Fprintln(w, "  no hook listens to this event")
	}
	fmt.Fprintf(w, "\nverdict: %s", v.Decision)
	if v.Reason != "" {
		fmt.Fprintf(w, " — %s", v.Reason)
	}
	fmt.Fprintf(w, " (%d µs)\n", v.Took.Microseconds())
}

// said sums up a run in words.
func said(r *trammel.Run) string {
	if r.Code != "" {
		text := fmt.Sprintf("failed with %s: %s", r.Code, r.Detail)
		if r.Blocked {
			text += " (so the event is blocked)"
		}
		return text
	}
	a := &r.Answer
	var parts []string
	if a.Decision != trammel.None {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s", a.Decision, a.Reason)))
	}
	for _, f := range a.Findings {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("finding %s %s", f.Code, f.Target)))
	}
	for key, value := range a.Input {
		parts = append(parts, fmt.Sprintf("rewrites %s to %v", key, value))
	}
	if a.Output != nil {
		parts = append(parts, fmt.Sprintf("rewrites the output to %q", shorten(*a.Output, 60)))
	}
	for _, text := range a.Context {
		parts = append(parts, fmt.Sprintf("context %q", shorten(text, 60)))
	}
	if a.Notice != "" {
		parts = append(parts, "notice "+a.Notice)
	}
	if parts == nil {
		return "no objection"
	}
	return strings.Join(parts, "; ")
}

func explainedJSON(j *host.Judged, hooks []host.Explained) any {
	type hook struct {
		ID       string         `json:"id"`
		Matched  bool           `json:"matched"`
		Why      string         `json:"why,omitempty"`
		Phase    string         `json:"phase,omitempty"`
		Decision string         `json:"decision,omitempty"`
		Reason   string         `json:"reason,omitempty"`
		Code     string         `json:"code,omitempty"`
		Detail   string         `json:"detail,omitempty"`
		Blocked  bool           `json:"blocked,omitempty"`
		Input    map[string]any `json:"input,omitempty"`
		Output   *string        `json:"output,omitempty"`
		Context  []string       `json:"context,omitempty"`
		Micros   int64          `json:"micros"`
	}
	out := []hook{}
	for _, e := range hooks {
		h := hook{ID: e.Hook.ID, Why: e.Why, Matched: e.Run != nil}
		if r := e.Run; r != nil {
			a := &r.Answer
			h.Phase, h.Micros, h.Code, h.Detail, h.Blocked = r.Phase.String(), r.Took.Microseconds(), string(r.Code), r.Detail, r.Blocked
			h.Decision, h.Reason, h.Input, h.Output, h.Context = a.Decision.String(), a.Reason, a.Input, a.Output, a.Context
		}
		out = append(out, h)
	}
	v := j.Verdict
	return map[string]any{"event": j.Event.Kind.String(), "project": j.Set.Root, "hooks": out,
		"verdict": map[string]any{"decision": v.Decision.String(), "reason": v.Reason, "input": v.Input, "context": v.Context, "micros": v.Took.Microseconds()}}
}

// read puts the event together from flags, or takes it from stdin.
func (f *explainFlags) read(stdin io.Reader, hosts *dialects.Set) (*trammel.Event, error) {
	dialect, ok := hosts.Host(f.host)
	if !ok {
		return nil, fmt.Errorf("unknown host %q", f.host)
	}
	if f.tool == "" && f.prompt == "" && f.input == "" && f.command == "" && f.path == "" {
		if file, ok := stdin.(*os.File); ok && terminal.Is(file) {
			return nil, fmt.Errorf("no event: give --tool and --command, or a payload on stdin; see trammel explain --help")
		}
		raw, err := io.ReadAll(io.LimitReader(stdin, 16<<20))
		if err != nil {
			return nil, err
		}
		return dialect.DecodeEvent(raw, f.event)
	}
	if f.event == "" {
		f.event = trammel.PreToolUse.String()
		if f.prompt != "" && f.tool == "" {
			f.event = trammel.UserPromptSubmit.String()
		}
	}
	kind, ok := trammel.ParseKind(f.event)
	if !ok {
		return nil, fmt.Errorf("unknown event %q; trammel events lists them", f.event)
	}
	ev := &trammel.Event{Kind: kind, Name: f.event, Host: f.host, Session: trammel.Session{ID: "explain", Dir: f.dir}}
	if s, ok := dialect.(interface{ Shapes() trammel.Shapes }); ok {
		ev.Tools = s.Shapes()
	}
	if f.prompt != "" {
		ev.Prompt = &trammel.Prompt{Text: f.prompt}
	}
	if f.tool == "" && (f.command != "" || f.path != "" || f.input != "") {
		f.tool = "Bash"
	}
	if f.tool != "" {
		input := map[string]any{}
		if f.input != "" {
			var err error
			if input, err = strict.Object([]byte(f.input), strict.Limits{}); err != nil {
				return nil, fmt.Errorf("--input: %w", err)
			}
		}
		if f.command != "" {
			input["command"] = f.command
		}
		if f.path != "" {
			input["file_path"] = f.path
		}
		ev.Tool = &trammel.ToolCall{Name: f.tool, Input: input, Done: kind == trammel.PostToolUse}
	}
	return ev, nil
}
