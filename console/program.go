package console

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
	"github.com/trammel-dev/trammel/store"
)

// Use fills in what a program on this machine can say: what guards say about
// edits, which calls are alike,
// what is in force, and what is in its logs.
func (d *Deps) Use(p *full.Program) {
	d.Edit = p.Edit
	logs := filepath.Join(p.Dirs.State, "evidence")
	d.CallPattern = p.CallPattern
	d.Hooks = func(ctx context.Context) (Configuration, error) { return d.configuration(ctx, p) }
	d.Record = func(_ context.Context, e *store.Event) (evidence.Entry, error) {
		if e.Log != filepath.Base(e.Log) {
			return evidence.Entry{}, fmt.Errorf("%q is no log", e.Log)
		}
		dir := filepath.Join(logs, e.Log)
		if e.Seq <= transparency.Through(dir) {
			return evidence.Entry{}, fmt.Errorf("record %d was pruned", e.Seq)
		}
		return evidence.Show(dir, strconv.FormatUint(e.Seq, 10))
	}
	d.Gap = func(ctx context.Context, s *store.Session, recorded []string) (*liveness.Gap, error) {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		of := liveness.Session{Host: standard.Host(s.Host), ID: s.ID, Project: s.Project, Recorded: recorded}
		if of.Host == nil {
			return nil, nil
		}
		of.Dir = install.Env{Home: home, State: p.Dirs.State, GOOS: runtime.GOOS, Getenv: os.Getenv}.Dir(of.Host)
		return of.Gap(ctx, time.Now())
	}
	d.Case = func(body []byte) ([]byte, error) {
		c, err := policytest.FromRecord(body, p.Dialects, "")
		if err != nil {
			return nil, err
		}
		text, err := c.Text("  ")
		safe, _ := secret.Redact("tests:\n" + string(text))
		return []byte(safe), err
	}
	d.Denials = func(_ context.Context, since time.Time, most int) ([]full.Denied, error) {
		return p.Denials(since, most)
	}
	d.AllowOnce = func(ctx context.Context, denial approvals.Denial, by approvals.Granter) (*store.Grant, error) {
		desk, err := p.OwnDesk()
		if err != nil {
			return nil, err
		}
		return desk.AllowOnce(ctx, denial, by)
	}
	d.Verify = func(context.Context) ([]Chain, error) { return verify(logs, p.Dirs.State, d.Authority) }
	d.Exported = func(ctx context.Context, who, query string, records int) error {
		s, err := d.Approvals(ctx)
		if err != nil || s.Record == nil {
			return err
		}
		data, _ := json.Marshal(map[string]any{"user": who, "query": query, "records": records}) // texts and numbers only
		return s.Record(ctx, store.Note{ID: "not_" + rand.Text(), At: store.At(s.Now()), Kind: "console.exported", Project: p.Dirs.User,
			Subject: who, Data: data})
	}
}

func verify(logs, state string, authority []string) ([]Chain, error) {
	keys, err := approvals.AuthorityKeys(state, authority...)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(logs)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var out []Chain
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		c, dir := Chain{Log: e.Name()}, filepath.Join(logs, e.Name())
		if c.Report, err = transparency.Verify(dir, keys); err != nil {
			return nil, err
		}
		if c.Signed, c.Checkpoint, err = transparency.Newest(dir); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, err
}

// projects is how many projects' own hooks are listed: those last active.
const projects = 20

// configuration is what is in force for the machine, the user, and the projects
// where agents were active lately.
func (d *Deps) configuration(ctx context.Context, p *full.Program) (Configuration, error) {
	dirs := []string{p.Dirs.User}
	if s, err := d.Approvals(ctx); err == nil {
		if e, ok := s.Store.(store.Events); ok {
			sessions, err := e.Sessions(ctx, nil, 100)
			if err != nil {
				return Configuration{}, err
			}
			for _, n := range sessions {
				if n.Project != "" && !slices.Contains(dirs, n.Project) && len(dirs) < projects {
					dirs = append(dirs, n.Project)
				}
			}
		}
	}
	var out Configuration
	for i, dir := range dirs {
		c, err := p.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: dir}})
		if err != nil {
			out.Notes = append(out.Notes, fmt.Sprintf("The configuration of %s cannot be used: %v", dir, err))
			continue
		}
		if i == 0 {
			out.Digest = c.Set.Digest
		}
		hooks, err := c.Plan.All()
		if err != nil {
			return out, err
		}
		for i := range hooks {
			h := &hooks[i]
			made := Hook{ID: h.ID, Does: h.Kind, May: h.May.String(), Layer: h.Source.Layer, Source: h.Source.String(), Trial: h.Trial,
				Status: "in force"}
			for _, kind := range h.On {
				made.On = append(made.On, kind.String())
			}
			if !slices.ContainsFunc(out.Hooks, func(o Hook) bool { return o.ID == made.ID }) {
				out.Hooks = append(out.Hooks, made)
			}
		}
		out.Notes = append(out.Notes, c.Plan.Notes...)
	}
	out.Presets = presets(out.Hooks)
	return out, nil
}

var presetHook = lazy.Regexp(`(?m)^  - id: (\S+)`)

// presets lists the presets; one is on if all of its hooks are in force.
func presets(in []Hook) (out []Preset) {
	for _, name := range config.Presets() {
		text, _ := config.PresetText(name)
		about, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "+name+": "), "\n")
		p := Preset{Name: name, About: about, On: true}
		for _, m := range presetHook().FindAllStringSubmatch(string(text), -1) {
			p.Hooks = append(p.Hooks, m[1])
			p.On = p.On && slices.ContainsFunc(in, func(h Hook) bool { return h.ID == m[1] })
		}
		out = append(out, p)
	}
	return out
}
