// Package gitline reads the arguments of git as git itself does: global
// options, aliases given on the line, clusters of short options, unambiguous
// abbreviations of long ones, and what follows "--". Policies ask what a call
// means, in whichever spelling.
package gitline

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// Call is one call of git.
type Call struct {
	// Sub is the subcommand, with aliases of the line resolved; "" if there is
	// none or it is not known.
	Sub string
	// Args are the words after the subcommand.
	Args []effects.Word
	// Dirs are the values of -C, in order.
	Dirs []effects.Word
	// Config are the settings for this call only: -c, --config-env, GIT_CONFIG_KEY_n.
	Config []Setting
	// WorkTree is the value of --work-tree or GIT_WORK_TREE.
	WorkTree *effects.Word
	// Help is true when git only shows help.
	Help bool

	run *effects.Run
}

// Setting is one setting; Key is in lower case.
type Setting struct {
	Key   string
	Value effects.Word
}

// Read reads a run of git; ok is false for other programs.
func Read(run *effects.Run) (c Call, ok bool) {
	if run.Program != "git" {
		return Call{}, false
	}
	c.run = run
	c.environment()
	c.global(run.Args)
	for range 8 { // an alias may stand for another one
		if !c.alias() {
			break
		}
	}
	c.help()
	return c, true
}

// Get returns the last value of a setting of this call.
func (c *Call) Get(key string) (effects.Word, bool) {
	for i := len(c.Config) - 1; i >= 0; i-- {
		if c.Config[i].Key == key {
			return c.Config[i].Value, true
		}
	}
	return effects.Word{}, false
}

func (c *Call) environment() {
	for _, e := range c.run.Env {
		switch {
		case e.Name == "GIT_WORK_TREE":
			c.WorkTree = &e.Value
		case strings.HasPrefix(e.Name, "GIT_CONFIG_KEY_"):
			s := Setting{Key: strings.ToLower(e.Value.Text), Value: effects.Word{Text: "$", Known: false}}
			for _, v := range c.run.Env {
				if v.Name == "GIT_CONFIG_VALUE_"+e.Name[len("GIT_CONFIG_KEY_"):] {
					s.Value = v.Value
				}
			}
			c.Config = append(c.Config, s)
		case e.Name == "GIT_CONFIG_PARAMETERS":
			for _, part := range split(e.Value.Text) {
				c.set(effects.Word{Text: part, Known: e.Value.Known})
			}
		}
	}
}

func (c *Call) set(w effects.Word) {
	key, value, found := strings.Cut(w.Text, "=")
	if !found {
		value = "true"
	}
	c.Config = append(c.Config, Setting{Key: strings.ToLower(key), Value: effects.Word{Text: value, Known: w.Known}})
}

// global reads what stands before the subcommand.
func (c *Call) global(args []effects.Word) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		name, value, attached := strings.Cut(text, "=")
		next := func() effects.Word {
			if attached {
				return effects.Word{Text: value, Known: args[i].Known}
			}
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return effects.Word{}
		}
		switch {
		case text == "-C":
			c.Dirs = append(c.Dirs, next())
		case text == "-c":
			attached = false
			c.set(next())
		case name == "--config-env":
			key, _, _ := strings.Cut(next().Text, "=")
			c.Config = append(c.Config, Setting{Key: strings.ToLower(key)})
		case name == "--work-tree":
			w := next()
			c.WorkTree = &w
		case name == "--git-dir", name == "--namespace", name == "--super-prefix", name == "--attr-source", name == "--list-cmds":
			next()
		case text == "--help" || text == "-h" || text == "--version" || text == "-v":
			c.Help = true
			return
		case strings.HasPrefix(text, "-") && args[i].Known:
		case !args[i].Known:
			return
		default:
			c.Sub, c.Args = strings.ToLower(text), args[i+1:]
			return
		}
	}
}

// alias replaces the subcommand by what an alias of this line stands for.
// Names of git's own commands cannot be aliases. An alias that is a shell
// command (!…) is a run of its own and not looked at here.
func (c *Call) alias() bool {
	if c.Sub == "" || builtin(c.Sub) {
		return false
	}
	value, ok := c.Get("alias." + c.Sub)
	if !ok {
		return false
	}
	if !value.Known || strings.HasPrefix(value.Text, "!") {
		c.Sub = ""
		return false
	}
	rest := c.Args
	c.Sub, c.Args = "", nil
	words := make([]effects.Word, 0, 4+len(rest))
	for _, text := range split(value.Text) {
		words = append(words, effects.Word{Text: text, Known: true})
	}
	c.global(append(words, rest...))
	return true
}

func (c *Call) help() {
	for _, a := range c.Args {
		if a.Text == "--" {
			return
		}
		if a.Text == "-h" && len(c.Args) == 1 {
			c.Help = true
		}
	}
}

// split cuts a line into words as git does for aliases.
func split(line string) []string {
	var out []string
	var word strings.Builder
	quote, in := byte(0), false
	for i := 0; i < len(line); i++ {
		ch := line[i]
		switch {
		case quote == 0 && (ch == ' ' || ch == '\t' || ch == '\n'):
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
			continue
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote = ch
		case ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		default:
			word.WriteByte(ch)
		}
		in = true
	}
	if in {
		out = append(out, word.String())
	}
	return out
}

func builtin(sub string) bool {
	switch sub {
	case "add", "am", "apply", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-ignore", "checkout", "cherry",
		"cherry-pick", "clean", "clone",
		"commit", "commit-tree", "config", "count-objects", "describe", "diff", "difftool", "fetch", "filter-branch", "format-patch", "fsck",
		"gc", "grep", "help", "init",
		"log", "ls-files", "ls-remote", "ls-tree", "maintenance", "merge", "merge-base", "mergetool", "mv", "notes", "prune", "pull", "push",
		"range-diff", "read-tree",
		"rebase", "reflog", "remote", "repack", "replace", "request-pull", "reset", "restore", "rev-list", "rev-parse", "revert", "rm",
		"shortlog", "show", "show-ref",
		"sparse-checkout", "stash", "status", "submodule", "switch", "symbolic-ref", "tag", "update-index", "update-ref", "version",
		"whatchanged", "worktree", "write-tree":
		return true
	}
	return false
}
