package approvals

import (
	"net"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"github.com/trammel-dev/trammel/internal/callkey"
	"github.com/trammel-dev/trammel/internal/secret"
	"mvdan.cc/sh/v3/syntax"
)

// CallPattern says which calls a grant covers: those similar to an approved one. It must cover all
// effects of a call; a call with an unknown effect is not similar to any other.
type CallPattern struct {
	// Exact is the key of the only call that matches, if calls cannot be
	// compared otherwise.
	Exact string        `json:"exact,omitempty"`
	Runs  []RunPattern  `json:"runs,omitempty"`
	Files []FilePattern `json:"files,omitempty"`
	Hosts []string      `json:"hosts,omitempty"`
	// With are the further arguments of the tool, in canonical form: another
	// right, another variable or another method is another call.
	With string `json:"with,omitempty"`
}

// RunPattern is a program with its arguments, except for the files that it
// touches.
type RunPattern struct {
	Program string   `json:"program"` // as written: git, ./deploy.sh
	Words   []string `json:"words,omitempty"`
	Env     []string `json:"env,omitempty"`
	Dir     string   `json:"dir"`
}

// FilePattern is an operation on files in a folder, or on one file.
type FilePattern struct {
	Op   string `json:"op"`
	In   string `json:"in,omitempty"` // the folder; nothing in folders below it
	Path string `json:"path,omitempty"`
	Tree bool   `json:"tree,omitempty"`
}

// PatternOf is what similar calls have in common: the tool, the program and its
// arguments, the folders, the hosts. If a call has unknown effects, or runs
// several programs, which depend on each other, only the call itself matches.
func PatternOf(ev *trammel.Event) (CallPattern, error) {
	args, err := callkey.Args(ev.Tool.Input)
	if err != nil {
		return CallPattern{}, err
	}
	exact := CallPattern{Exact: callOf(ev, args, "").Digest()}
	n, ok := effectsPattern(ev, true)
	if !ok {
		return exact, nil
	}
	return n, nil
}

// Fits reports whether it covers everything that a call does.
func (n *CallPattern) Fits(ev *trammel.Event) bool {
	if n.Exact != "" {
		args, err := callkey.Args(ev.Tool.Input)
		return err == nil && callOf(ev, args, "").Digest() == n.Exact
	}
	call, ok := effectsPattern(ev, false)
	return ok && call.With == n.With && within(call.Runs, n.Runs, RunPattern.covers) && within(call.Files, n.Files, FilePattern.covers) &&
		within(call.Hosts, n.Hosts, func(a, b string) bool { return a == b })
}

// within reports whether each element of list is covered by one that was approved.
func within[T any](list, agreed []T, covers func(agreed, one T) bool) bool {
	return !slices.ContainsFunc(list, func(one T) bool {
		return !slices.ContainsFunc(agreed, func(a T) bool { return covers(a, one) })
	})
}

func (a RunPattern) covers(b RunPattern) bool {
	return a.Program == b.Program && slices.Equal(a.Words, b.Words) && slices.Equal(a.Env, b.Env) && a.Dir == b.Dir
}

func (a FilePattern) covers(b FilePattern) bool {
	return a.Op == b.Op && (a.Tree || !b.Tree) && (a.Path != "" && a.Path == b.Path ||
		a.In != "" && !b.Tree && a.In == path.Dir(b.Path) && !secret.SensitivePath(b.Path))
}

// effectsPattern reads what a call does. It returns false if more than the effects
// matters. Files become folders only in what is approved.
func effectsPattern(ev *trammel.Event, folders bool) (n CallPattern, ok bool) {
	switch ev.Tool.Action.Kind {
	case trammel.ShellAction, trammel.ReadAction, trammel.WriteAction, trammel.EditAction, trammel.DeleteAction, trammel.SearchAction,
		trammel.FetchAction:
	default:
		return n, false
	}
	if ev.Tool.Action.Kind == trammel.ShellAction && !oneCommand(ev.Tool.Action.Command) {
		return n, false
	}
	if beside := match.Beside(ev.Tool); len(beside) > 0 {
		with, err := callkey.Args(beside)
		if err != nil {
			return n, false
		}
		n.With = string(with)
	}
	set := effects.Of(ev)
	if !set.Full() || len(set.Codes)+len(set.Bombs) > 0 || len(set.Runs)+len(set.Files)+len(set.Nets) == 0 || len(set.Runs) > 1 {
		return n, false
	}
	for i := range set.Runs {
		run, ok := runPattern(&set.Runs[i], set.Files)
		if !ok {
			return n, false
		}
		n.Runs = append(n.Runs, run)
	}
	for i := range set.Files {
		f := &set.Files[i]
		for _, p := range []effects.Path{f.Path, f.To} {
			if p == (effects.Path{}) {
				continue
			}
			if p.Abs == "" || p.Glob || f.Device || p.Real != "" && p.Real != p.Abs {
				return n, false
			}
			n.Files = append(n.Files, filePattern(f, filepath.ToSlash(p.Abs), folders))
		}
	}
	for i := range set.Nets {
		if set.Nets[i].Host == "" || set.Nets[i].Listens {
			return n, false
		}
		host := set.Nets[i].Host
		if port := set.Nets[i].Port; port != "" {
			host = net.JoinHostPort(host, port)
		}
		n.Hosts = append(n.Hosts, host)
	}
	return n, true
}

func filePattern(f *effects.File, abs string, folders bool) FilePattern {
	dir := path.Dir(abs)
	if !folders || f.Tree || secret.SensitivePath(abs) || dir == "/" || strings.Count(dir, "/") < 2 {
		return FilePattern{Op: f.Op.String(), Path: abs, Tree: f.Tree}
	}
	return FilePattern{Op: f.Op.String(), In: dir}
}

// oneCommand reports whether a line is a single command. In any other, what is
// around a program decides what it does: PATH=/tmp; git push.
func oneCommand(line string) bool {
	file := parse.Bash(line).File
	if file == nil || len(file.Stmts) != 1 {
		return false
	}
	_, is := file.Stmts[0].Cmd.(*syntax.CallExpr)
	return is
}

// runPattern takes a program with all its arguments, where it runs. Those that
// name files which it is known to touch are left out: Files says which may vary.
// Whatever else an argument says can change what the program does: a third
// subcommand, + before a branch, a name in capitals.
func runPattern(r *effects.Run, touched []effects.File) (n RunPattern, ok bool) {
	if r.Program == "" || r.More || r.Remote || r.Root || r.Input != nil || r.Stdin != nil || len(r.Uses) > 0 || r.Astray || !r.Dir.Known() {
		return n, false
	}
	n = RunPattern{Program: r.Path, Dir: filepath.ToSlash(r.Dir.Abs)}
	for _, e := range r.Env {
		if !e.Value.Known {
			return n, false
		}
		n.Env = append(n.Env, e.Name+"="+e.Value.Text)
	}
	_, known := programs.Lookup(r.Program)
	for _, w := range r.Args {
		if !w.Known || w.Glob {
			return n, false
		}
		file := func(f effects.File) bool { return f.Path.Text == w.Text || f.To.Text == w.Text }
		if !known || strings.HasPrefix(w.Text, "-") || !slices.ContainsFunc(touched, file) {
			n.Words = append(n.Words, w.Text)
		}
	}
	return n, true
}
