package configprotection

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitbypass"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
)

// bypasses finds ways to make git skip its hooks.
type bypasses struct{ world trammel.World }

// of reports whether a run makes git skip its verification hooks, now or from now
// on, and by what means.
func (b *bypasses) of(s *effects.Set, i int) (what string, found bool) {
	r := &s.Runs[i]
	switch r.Program {
	case "git":
		if name, ok := switchedOff(s, i); ok {
			return name + " git", true
		}
		return b.git(r)
	case "export", "declare", "typeset", "setenv", "set": // affects later runs of git
		for j, w := range r.Args {
			name, value, assigned := strings.Cut(w.Text, "=")
			if !assigned && r.Program == "set" || r.Program == "setenv" {
				if j+1 < len(r.Args) {
					value = r.Args[j+1].Text
				}
			}
			if switchesOff(name, value) && (name != "SKIP" || b.skippable(s, r.Dir.Abs)) {
				return r.Program + " " + w.Text, true
			}
		}
	case "husky", "pre-commit", "lefthook", "overcommit", "simple-git-hooks":
		for _, w := range r.Args {
			if w.Text == "uninstall" || w.Text == "--uninstall" {
				return r.Program + " " + w.Text, true
			}
		}
	}
	return "", false
}

// skippable reports whether SKIP, which many scripts read, can be meant for the hooks of
// pre-commit: the line runs git, or git has hooks here.
func (b *bypasses) skippable(s *effects.Set, dir string) bool {
	for i := range s.Runs {
		if s.Runs[i].Program == "git" || s.Runs[i].Program == "pre-commit" {
			return true
		}
	}
	return dir == "" || !paths.Hookless(b.world, dir)
}

// switchedOff looks for a variable that turns hooks off: on git itself, or on
// any program that starts it.
func switchedOff(s *effects.Set, i int) (string, bool) {
	for hops := 0; i >= 0 && i < len(s.Runs) && hops < 64; i, hops = s.Runs[i].By, hops+1 {
		r := &s.Runs[i]
		for _, a := range r.Env {
			if switchesOff(a.Name, a.Value.Text) {
				return a.Name + "=" + a.Value.Text, true
			}
		}
		if r.Program != "env" {
			continue
		}
		for _, w := range r.Args {
			if name, value, ok := strings.Cut(w.Text, "="); ok && switchesOff(name, value) {
				return w.Text, true
			}
		}
	}
	return "", false
}

// switchesOff reports whether a variable tells git or a hook manager to run no
// hooks.
func switchesOff(name, value string) bool {
	return gitprefs.SkipsHooks(model.Assign{Name: name, Value: effects.Word{Text: value}}) ||
		strings.HasPrefix(name, "GIT_CONFIG_") && strings.Contains(strings.ToLower(value), "core.hookspath")
}

// git judges a call of git. An alias given with -c is a separate run; a stored
// one is judged by its expansion. A hooks directory counts only if it contains
// hooks.
func (b *bypasses) git(r *effects.Run) (string, bool) {
	call, _ := programs.ReadGit(r)
	setting, removed, changes := gitbypass.ConfigChange(&call)
	if !changes {
		what := gitbypass.Of(&call)
		return what, what != ""
	}
	switch section, _, _ := strings.Cut(setting.Key, "."); {
	case setting.Key == "core.hookspath" && !removed && b.hookDir(r.Dir.Abs, setting.Value.Text):
	case setting.Key == "core.hookspath", setting.Key == "core" && removed:
		return "git config " + strings.TrimSpace(setting.Key+" "+setting.Value.Text), true
	case section == "alias":
		if _, off := b.git(&effects.Run{Program: "git", Args: fields(setting.Value.Text), Dir: r.Dir}); off {
			return "git config " + setting.Key, true
		}
	}
	return "", false
}

// hookDir reports whether a project has its hooks in a directory: it has one of
// the usual names and is not empty, or git has no hooks yet that it would replace.
func (b *bypasses) hookDir(dir, value string) bool {
	switch strings.TrimSuffix(strings.TrimPrefix(value, "./"), "/") {
	case ".githooks", ".husky", ".husky/_", ".hooks", "githooks", ".git/hooks":
		entries, err := b.world.ReadDir(filepath.Join(dir, value), 1)
		return dir != "" && (err == nil && len(entries) > 0 || paths.Hookless(b.world, dir))
	}
	return false
}

// fields returns the words of an alias, including one that starts git in a shell.
func fields(alias string) []effects.Word {
	var out []effects.Word
	alias = strings.TrimPrefix(strings.TrimPrefix(alias, "!"), "git ")
	for field := range strings.FieldsSeq(alias) {
		out = append(out, effects.Word{Text: strings.Trim(field, `"'`), Known: true})
	}
	return out
}
