package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/plural"
)

func initCmd() *cobra.Command {
	var f wiringFlags
	var e emitting
	cmd := &cobra.Command{Use: "init [AGENT …]", Args: cobra.ArbitraryArgs}
	f.add(cmd)
	f.addConsent(cmd)
	e.add(cmd)
	cmd.Flags().StringVar(&f.missing, "missing", "",
		"with --scope project: what happens to tool calls where trammel-hook is not installed: block or warn (default block)")
	servers := cmd.Flags().Bool("mcp", false, "also put the proxy in front of the MCP servers that the agents' configuration names")
	preset := cmd.Flags().String("preset", "careful", "of a first policy: "+strings.Join(config.Presets(), ", "))
	cmd.MarkFlagsMutuallyExclusive("preset", "emit")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(config.Presets(), *preset) {
			return cli.Usagef("--preset is %q, expected one of: %s", *preset, strings.Join(config.Presets(), ", "))
		}
		if emit, err := e.wanted(&f); emit || err != nil {
			if err != nil {
				return err
			}
			return e.run(cmd, &f)
		}
		w, err := f.open(args)
		if err != nil {
			return err
		}
		names := f.names(w)
		if len(names) == 0 {
			return fmt.Errorf("no agent was found; name one, such as: trammel init claude-code")
		}
		var changes []*install.Change
		for _, name := range names {
			c, err := install.Plan(w.env, name, w.opts)
			if err != nil {
				return fmt.Errorf("%s: %w; nothing was changed", name, err)
			}
			changes = append(changes, c)
		}
		var guarded []*install.Change
		if *servers {
			if guarded, err = w.servers(names); err != nil {
				return err
			}
		}
		out := cli.Shown(cmd, *f.json)
		n := f.showChanges(out, slices.Concat(changes, guarded))
		starter := missingStarter(w.dirs)
		switch {
		case starter != "":
			say(out, "policy: a starter policy with the preset %s will be written to %s", *preset, tilde(starter))
			n++
		case cmd.Flags().Changed("preset"):
			return fmt.Errorf("nothing was changed: %s is there already; write this into it: preset: %s",
				filepath.Join(w.dirs.User, layers.FileName), *preset)
		}
		if note := otherHome(w.env.Home, w.dirs); note != "" {
			say(out, "%s", note)
		}
		all := slices.Concat(changes, guarded)
		if f.dryRun || n == 0 {
			return f.done(cmd, all, starter, false)
		}
		if err := cli.Agreed(cmd, f.yes, "Do this?"); err != nil {
			return err
		}
		for _, dir := range []string{w.dirs.User, w.dirs.State} { // the wiring names them, so they must exist
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
		}
		if err := apply(changes); err != nil {
			return err
		}
		if *servers { // hooks and servers may be in one file
			if guarded, err = w.servers(names); err != nil {
				return err
			}
			if err := apply(guarded); err != nil {
				return err
			}
		}
		if starter != "" {
			if err := writeStarter(starter, *preset); err != nil {
				return err
			}
		}
		fmt.Fprintln(out, "done. Check that it works with: trammel doctor")
		return f.done(cmd, all, starter, true)
	}
	return cmd
}

// servers plans the proxy in front of the servers of agents.
func (w *wiring) servers(names []string) ([]*install.Change, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var out []*install.Change
	for _, name := range names {
		c, err := install.PlanServers(w.env, name, w.opts, self)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; nothing was changed", name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func uninstallCmd() *cobra.Command {
	var f wiringFlags
	cmd := &cobra.Command{Use: "uninstall [AGENT …]", Args: cobra.ArbitraryArgs}
	f.add(cmd)
	f.addConsent(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.NotByAgent("remove the guard"); err != nil {
			return err
		}
		w, err := f.open(args)
		if err != nil {
			return err
		}
		names := f.hosts
		if len(names) == 0 {
			for _, h := range install.Hosts() {
				names = append(names, h.System)
			}
		}
		servers, hooks, err := w.unwiring(names, len(f.hosts) > 0)
		if err != nil {
			return err
		}
		all := slices.Concat(servers, hooks)
		out := cli.Shown(cmd, *f.json)
		if len(f.hosts) == 0 { // most agents are not here
			all = slices.DeleteFunc(all, func(c *install.Change) bool { return len(c.Files)+len(c.Notes)+len(c.Warnings) == 0 })
		}
		n := f.showChanges(out, all)
		if len(all) == 0 {
			fmt.Fprintln(out, "nothing to do: no agent is wired in this scope")
		}
		w.elsewhere(out, names)
		if f.dryRun {
			return f.done(cmd, all, "", false)
		}
		if n == 0 { // the wiring may be gone; then drop its record
			if err := apply(hooks); err != nil {
				return err
			}
			return f.done(cmd, all, "", false)
		}
		if err := cli.Agreed(cmd, f.yes, "Do this?"); err != nil {
			return err
		}
		if err := apply(servers); err != nil {
			return err
		}
		if _, hooks, err = w.unwiring(names, len(f.hosts) > 0); err != nil { // both may be in one file
			return err
		}
		if err := apply(hooks); err != nil {
			return err
		}
		if w.opts.Scope == install.Project { // what the user has wired needs them
			fmt.Fprintln(out, "done. Rules and what was recorded stay.")
		} else {
			fmt.Fprintf(out, "done. Your rules and what was recorded stay; to delete them, too:\n  rm -r %s %s\n", w.dirs.User, w.dirs.State)
		}
		return f.done(cmd, all, "", true)
	}
	return cmd
}

// elsewhere says which agents are wired in the other scope, too.
func (w *wiring) elsewhere(out io.Writer, names []string) {
	opts, flag := w.opts, ""
	switch opts.Scope {
	case install.User:
		opts.Scope, flag = install.Project, " --scope project"
	default:
		opts.Scope = install.User
	}
	for _, name := range names {
		if r, err := install.Status(w.env, name, opts); err == nil && (r.State == install.Wired || r.State == install.Changed) {
			fmt.Fprintf(out, "%s: the %s's settings wire it, too, and are left as they are; to remove that: trammel uninstall %s%s\n", name,
				opts.Scope, name, flag)
		}
	}
}

// changeJSON is a file that init or uninstall changes, as programs see it.
type changeJSON struct {
	Host   string `json:"host"`
	File   string `json:"file"`
	Action string `json:"action"` // create, change or remove
	Text   string `json:"text,omitempty"`
}

// done prints, with --json, what was or would be changed; people have seen it already.
func (f *wiringFlags) done(cmd *cobra.Command, changes []*install.Change, starter string, applied bool) error {
	if !*f.json {
		return nil
	}
	files, notes, warnings := []changeJSON{}, []string{}, []string{}
	for _, c := range changes {
		for i := range c.Files {
			files = append(files, changeJSON{c.Host, c.Files[i].Path, action(&c.Files[i]), string(c.Files[i].After)})
		}
		for _, note := range c.Notes {
			notes = append(notes, c.Host+": "+note)
		}
		for _, warning := range c.Warnings {
			warnings = append(warnings, c.Host+": "+warning)
		}
	}
	return cli.JSON(cmd.OutOrStdout(), map[string]any{"applied": applied, "files": files, "notes": notes, "warnings": warnings,
		"policy": starter})
}

func action(f *install.FileChange) string {
	switch {
	case f.Remove:
		return "remove"
	case f.Create:
		return "create"
	}
	return "change"
}

// unwiring plans the removal of servers and hooks. Agents that were neither
// named nor wired are skipped if they do not have the scope or cannot be read.
func (w *wiring) unwiring(names []string, named bool) (servers, hooks []*install.Change, err error) {
	for _, name := range names {
		c, err := install.PlanServersUninstall(w.env, name, w.opts)
		switch {
		case err == nil && len(c.Files) > 0:
			servers = append(servers, c)
		case err != nil && (named || install.ServersRecorded(w.env, name, w.opts)):
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		c, err = install.PlanUninstall(w.env, name, w.opts)
		switch {
		case err == nil:
			hooks = append(hooks, c)
		case named || install.Recorded(w.env, name, w.opts):
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return servers, hooks, nil
}

func apply(changes []*install.Change) error {
	for _, c := range changes {
		if err := install.Apply(c); err != nil {
			return fmt.Errorf("%s: %w", c.Host, err)
		}
	}
	return nil
}

// showChanges prints the change of each file, and returns how many change.
func (f *wiringFlags) showChanges(w io.Writer, changes []*install.Change) int {
	n := 0
	for _, c := range changes {
		if len(c.Files) == 0 {
			say(w, "%s: nothing to do", c.Host)
		}
		for i := range c.Files {
			n++
			f.showFile(w, c.Host, &c.Files[i])
		}
		for _, note := range c.Notes {
			say(w, "%s: %s", c.Host, note)
		}
		for _, warning := range c.Warnings {
			say(w, "%s: warning: %s", c.Host, warning)
		}
	}
	return n
}

// say writes a line for people; on a terminal it is broken between words.
func say(w io.Writer, format string, args ...any) {
	_ = cli.Wrap(w, func(w io.Writer) error { _, err := fmt.Fprintf(w, format+"\n", args...); return err })
}

// tilde is a path as people write it.
func tilde(path string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, below := strings.CutPrefix(path, home+string(filepath.Separator)); below {
			return filepath.Join("~", rest)
		}
	}
	return path
}

// showFile says what happens to a file: in one line, and with --diff in full.
func (f *wiringFlags) showFile(w io.Writer, host string, file *install.FileChange) {
	line := fmt.Sprintf("%s: %s %s", host, action(file), tilde(file.Path))
	switch {
	case file.Create:
		say(w, "%s (%d bytes)", line, len(file.After))
		return
	case file.Remove:
		say(w, "%s", line)
		return
	case len(file.Servers) > 0:
		line += " to put the proxy in front of " + strings.Join(file.Servers, ", ")
	}
	before, after := lines(file.Before), lines(file.After)
	removed, added := without(before, after), without(after, before)
	if !f.diff {
		say(w, "%s (%s removed, %d added; --diff shows them)", line, plural.Of(len(removed), "line"), len(added))
		return
	}
	say(w, "%s", line)
	for _, line := range removed {
		fmt.Fprintf(w, "  - %s\n", line)
	}
	for _, line := range added {
		fmt.Fprintf(w, "  + %s\n", line)
	}
}

// without lists the lines of a that are not among those of b.
func without(a, b []string) []string {
	count := map[string]int{}
	for _, line := range b {
		count[line]++
	}
	var out []string
	for _, line := range a {
		if count[line]--; count[line] < 0 {
			out = append(out, line)
		}
	}
	return out
}

// lines are the lines of a file. JSON that is written in one line is shown indented.
func lines(data []byte) []string {
	data = bytes.TrimSpace(data)
	var indented bytes.Buffer
	if !bytes.ContainsRune(data, '\n') && json.Indent(&indented, data, "", "  ") == nil {
		data = indented.Bytes()
	}
	return strings.Split(string(data), "\n")
}

// missingStarter is where a first policy belongs, "" if there is one already.
func missingStarter(d layers.Dirs) string {
	path := filepath.Join(d.User, layers.FileName)
	if _, err := os.Lstat(path); err == nil {
		return ""
	}
	return path
}

func writeStarter(path, preset string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Create(path, install.StarterWith(preset), 0o600)
}
