package liveness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/handlers/command"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// configuration is what holds in the project, for all hosts alike.
type configuration struct {
	files int
	ours  bool // the project has some of them
	hooks []plan.Hook
	// settings are the plan's.
	settings plan.Settings
	// wrong is what keeps it from being used, and notes what does not count in full.
	wrong error
	notes []layers.Note
	pause *pipeline.Pausing // the one that holds
}

// readConfiguration compiles what is in force, as for an event.
func readConfiguration(in *Inputs) *configuration {
	set, err := layers.Find(in.Dirs, in.Project)
	if err != nil {
		return &configuration{wrong: err}
	}
	p, c := full.New(in.Dirs), &configuration{files: len(set.Files)}
	c.ours = set.HasProject()
	loaded, err := p.Compile(set)
	if err == nil {
		c.settings = loaded.Settings
		c.pause = p.Paused(&pipeline.Config{Set: set, Plan: loaded})
		c.hooks, err = loaded.All()
	}
	if c.wrong = err; err != nil {
		return c
	}
	for _, n := range p.Compiled.Notes {
		switch n.Code {
		case layers.CodeUntrusted, layers.CodeChanged, layers.CodeVanished, layers.CodeForeign, config.CodeBroken:
			c.notes = append(c.notes, n)
		}
	}
	c.notes = append(append(c.notes, p.Compiled.Missing()...), changed(c.hooks)...)
	return c
}

// changed are the hooks whose programs are not the ones that were trusted.
func changed(hooks []plan.Hook) (notes []layers.Note) {
	for i := range hooks {
		h := &hooks[i]
		if h.Kind != "command" {
			continue
		}
		program, err := command.ReadConfig(h.Config)
		if err == nil {
			err = program.CheckPinned(h.Dir)
		}
		if err != nil {
			notes = append(notes, layers.Note{Code: layers.CodeChanged, Path: h.Source.File, Line: h.Source.Line,
				Text: fmt.Sprintf("hook %q is in force, but fails on each of its events: %v", h.ID, err)})
		}
	}
	return notes
}

// examineConfiguration looks at whether there is anything to hold to.
func (e *exam) examineConfiguration() {
	c := e.conf
	host := ""
	if standard.Host(e.Host) != nil {
		host = e.Host
	}
	why, trial := idle(host, c.hooks)
	check := Check{Name: "configuration", OK: true, Detail: plural.Of(len(c.hooks), "hook") + " from " + plural.Of(c.files, "file") +
		" in force"}
	switch {
	case c.wrong != nil:
		check = Check{Name: check.Name, Detail: fmt.Sprintf("the configuration cannot be used, so every tool call is blocked: %v", c.wrong),
			Fix: "correct what the message names"}
	case c.files == 0:
		check = Check{Name: check.Name, Detail: "there is no trammel.yaml: events are recorded, but nothing is denied",
			Fix: "write one, or have trammel init write a first one"}
	case len(c.notes) > 0:
		check = Check{Name: check.Name, Detail: c.notes[0].String(), Fix: "read the file, then run trammel trust, or correct it"}
	case why != "":
		check = Check{Name: check.Name, Detail: why + ": events are recorded, but nothing is denied",
			Fix: "see trammel list --effective"}
	}
	e.add(check, Degraded)
	if why == "" && len(trial) > 0 {
		e.Checks = append(e.Checks, Check{Name: "note", OK: true, Detail: "on trial, so that they stop nothing: " + strings.Join(trial, ", ")})
	}
	if c.ours && e.Wired {
		if note := standard.Host(e.Host).Unwired(e.in.Project); note != "" {
			e.Checks = append(e.Checks, Check{Name: "note", OK: true, Detail: note})
		}
	}
	if c.pause != nil {
		e.add(Check{Name: "pause", Detail: fmt.Sprintf("hooks are paused until %s by %s", c.pause.Until.Local().Format("15:04"), c.pause.Who),
			Fix: "trammel resume"}, Degraded)
	}
	for i := range c.hooks {
		for j := range c.hooks[i].Except {
			x := &c.hooks[i].Except[j]
			said := Check{Name: "exception", OK: e.in.Now.Before(x.Until), Detail: fmt.Sprintf("for %s, %s left: %s (%s)", c.hooks[i].ID,
				x.Left(e.in.Now), x.Reason, x.Source)}
			if !said.OK {
				said.Detail, said.Fix = fmt.Sprintf("the one for %s has expired and has no effect (%s)", c.hooks[i].ID, x.Source), "take it out"
			}
			e.add(said, Protected)
		}
	}
	for what, dir := range map[string]string{"user's configuration": e.in.Dirs.User, "state": e.in.Dirs.State} {
		if info, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) || err == nil && !info.IsDir() {
			e.add(Check{Name: "directories", Detail: fmt.Sprintf("the directory of the %s, %s, is not there", what, dir),
				Fix: "restore it, or run trammel init"}, Degraded)
		}
	}
}

// examinePowers looks at whether the host does what the hooks in force answer with.
func (e *exam) examinePowers() {
	host := standard.Host(e.Host)
	if host == nil || e.conf.wrong != nil {
		return
	}
	not := unhonouredBy(host, e.conf.hooks)
	const fix = "do not rely on that under this agent; docs/hosts.md says what it can do"
	if len(not.lost) > 0 {
		e.add(Check{Name: "powers", Detail: fmt.Sprintf("%s does not support what %d of the hooks answer: %s", e.Host, len(not.lost),
			strings.Join(not.lost, "; ")), Fix: fix}, Degraded)
	}
	if len(not.partly) > 0 {
		e.add(Check{Name: "output", Detail: fmt.Sprintf("%s does not support everything that %d of the hooks answer: %s", e.Host, len(not.partly),
			strings.Join(not.partly, "; ")), Fix: fix}, Limited)
	}
	if len(not.lost)+len(not.partly) == 0 && len(e.conf.hooks) > 0 {
		e.Checks = append(e.Checks, Check{Name: "powers", OK: true, Detail: "it supports what the hooks in force answer"})
	}
	if len(not.denied) > 0 {
		e.Checks = append(e.Checks, Check{Name: "rewrites", OK: true,
			Detail: fmt.Sprintf("%s cannot change a call, so what these hooks rewrite is "+
				"denied, with the corrected call in the reason: %s", e.Host, strings.Join(not.denied, ", "))})
	}
	for _, gap := range host.Facts().Gaps {
		e.Checks = append(e.Checks, Check{Name: "gap", OK: true, Detail: gap})
	}
}

// programLimit is how long trammel-hook may take to say its version.
const programLimit = 10 * time.Second

// runs starts one of our programs, and says what went wrong. It has to be of the
// version that asks: half of an update is not what was tested.
func runs(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, programLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	want := strings.TrimSuffix(filepath.Base(path), ".exe") + " " + version.Number()
	if said := strings.TrimSpace(string(out)); err == nil && said != want {
		return fmt.Errorf("%s --version says %.60q, expected %q", path, said, want)
	}
	if err != nil {
		return fmt.Errorf("%s --version: %w: %.200s", path, err, out)
	}
	return nil
}
