package configprotection

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// bypasses finds what makes git skip its hooks in a world.
type bypasses struct{ world trammel.World }

// of reports whether a run makes git skip its verification hooks, now or
// from now on, and what does it.
func (b *bypasses) of(s *effects.Set, i int) (what string, found bool) {
	r := &s.Runs[i]
	switch r.Program {
	case "git":
		if name, ok := switchedOff(s, i); ok {
			return name + " git", true
		}
		return b.git(r.Args, r.Dir.Abs)
	case "export", "declare", "typeset", "setenv", "set": // what git will see later on
		for j, w := range r.Args {
			name, value, assigned := strings.Cut(w.Text, "=")
			if !assigned && r.Program == "set" || r.Program == "setenv" {
				if j+1 < len(r.Args) {
					value = r.Args[j+1].Text
				}
			}
			if switchesOff(name, value) {
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

// switchedOff looks for a variable that turns hooks off: on git itself, or on
// anything that starts it.
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

// switchesOff knows the variables by which hook managers and git are told to
// run no hooks.
func switchesOff(name, value string) bool {
	switch name {
	case "HUSKY", "LEFTHOOK":
		return value == "0" || strings.EqualFold(value, "false")
	case "HUSKY_SKIP_HOOKS", "SKIP_SIMPLE_GIT_HOOKS", "OVERCOMMIT_DISABLE", "SKIP_YORKIE":
		return value != "" && value != "0" && !strings.EqualFold(value, "false")
	case "SKIP", "LEFTHOOK_EXCLUDE", "LEFTHOOK_SKIP", "HUSKY_GIT_PARAMS_SKIP": // which hooks not to run
		return value != ""
	case "PRE_COMMIT_ALLOW_NO_CONFIG":
		return value != "" && value != "0"
	}
	return strings.HasPrefix(name, "GIT_CONFIG_") && strings.Contains(strings.ToLower(value), "core.hookspath")
}

// gitBypass reads git's arguments. An alias that is given with -c is a run of
// its own.
func (b *bypasses) git(args []effects.Word, dir string) (string, bool) {
	at := 0
	for ; at < len(args) && strings.HasPrefix(args[at].Text, "-"); at++ {
		name, value, attached := strings.Cut(args[at].Text, "=")
		switch name {
		case "-c", "--config-env":
			if name == "-c" || !attached {
				at++
				if value = ""; at < len(args) {
					value = args[at].Text
				}
			}
			if key, _, _ := strings.Cut(value, "="); strings.EqualFold(key, "core.hooksPath") {
				return "git -c " + value, true
			}
		case "-C", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source":
			if !attached {
				at++
			}
		}
	}
	if at >= len(args) {
		return "", false
	}
	sub, rest := args[at].Text, args[at+1:]
	switch sub {
	case "config":
		return b.config(rest, dir)
	case "clone": // -c there is a setting of the new repository
		for _, w := range rest {
			if key, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "--config="), "="); strings.EqualFold(key, "core.hooksPath") {
				return "git clone -c " + w.Text, true
			}
		}
	}
	if flag, ok := noVerify(sub, rest); ok {
		return "git " + sub + " " + flag, true
	}
	return "", false
}

// noVerify looks for the option among a subcommand's arguments. -n means it
// only for commit and am: for push it is a dry run, for merge and rebase it is
// about statistics, for cherry-pick and revert about committing.
func noVerify(sub string, args []effects.Word) (string, bool) {
	short := byte(0)
	values := "" // short options that take a value
	switch sub {
	case "commit":
		short, values = 'n', "mFCct"
	case "am":
		short, values = 'n', "Cp"
	case "merge", "rebase", "push", "pull":
		values = "mFsXxCo"
	default:
		return "", false
	}
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--":
			return "", false
		case strings.HasPrefix(text, "--"):
			if noVerifyWord(text) {
				return text, true
			}
			if takesValue(text) {
				i++
			}
		case len(text) > 1 && text[0] == '-':
			for j := 1; j < len(text); j++ {
				if text[j] == short {
					return text, true
				}
				if text[j] == 'S' || text[j] == 'u' { // the rest of the word is its value
					break
				}
				if strings.IndexByte(values, text[j]) >= 0 {
					if j == len(text)-1 {
						i++
					}
					break
				}
			}
		}
	}
	return "", false
}

// noVerifyWord takes abbreviations, as git does.
func noVerifyWord(text string) bool {
	return len(text) >= len("--no-v") && strings.HasPrefix("--no-verify", text)
}

// takesValue knows long options whose value is the next word, so that a message
// about --no-verify is not taken for the option.
func takesValue(text string) bool {
	switch text {
	case "--message", "--file", "--author", "--date", "--reuse-message", "--reedit-message", "--template", "--trailer", "--fixup",
		"--squash", "--cleanup",
		"--pathspec-from-file", "--strategy", "--strategy-option", "--onto", "--exec", "--into-name", "--push-option", "--repo",
		"--receive-pack", "--gpg-sign":
		return text != "--gpg-sign"
	}
	return false
}
