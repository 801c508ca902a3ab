// Package gitline reads one call of git as git itself does: global options, settings and
// aliases of the line and its variables.
package gitline

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Call is one call of git.
type Call struct {
	// Sub is the subcommand, with aliases of the line resolved; "" if there is
	// none or it is not known.
	Sub string
	// Args are the words after the subcommand.
	Args []model.Word
	// Dirs are the values of -C, in order.
	Dirs []model.Word
	// Config are the settings for this call only: -c, --config-env, GIT_CONFIG_KEY_n.
	Config []Setting
	// WorkTree is the value of --work-tree or GIT_WORK_TREE.
	WorkTree *model.Word
	// Help is true when git only shows help.
	Help bool

	// Run is the run of git.
	Run *model.Run
}

// Setting is one setting; Key is in lower case.
type Setting struct {
	Key   string
	Value model.Word
}

// Read reads a run of git; ok is false for other programs.
func Read(run *model.Run) (c Call, ok bool) {
	if run.Program != "git" {
		return Call{}, false
	}
	c = Plain(run, run.Args)
	for range 8 { // an alias may stand for another one
		if !c.alias() {
			break
		}
	}
	c.help()
	return c, true
}

// Plain reads the arguments of a run of git, without resolving aliases.
func Plain(run *model.Run, args []model.Word) Call {
	c := Call{Run: run}
	c.environment()
	c.global(args)
	return c
}

// Get returns the last value of a setting of this call.
func (c *Call) Get(key string) (model.Word, bool) {
	for i := len(c.Config) - 1; i >= 0; i-- {
		if c.Config[i].Key == key {
			return c.Config[i].Value, true
		}
	}
	return model.Word{}, false
}

func (c *Call) environment() {
	for _, e := range c.Run.Env {
		switch {
		case e.Name == "GIT_WORK_TREE":
			c.WorkTree = &e.Value
		case strings.HasPrefix(e.Name, "GIT_CONFIG_KEY_"):
			s := Setting{Key: strings.ToLower(e.Value.Text), Value: model.Word{Text: "$", Known: false}}
			for _, v := range c.Run.Env {
				if v.Name == "GIT_CONFIG_VALUE_"+e.Name[len("GIT_CONFIG_KEY_"):] {
					s.Value = v.Value
				}
			}
			c.Config = append(c.Config, s)
		case (e.Name == "GIT_CONFIG_GLOBAL" || e.Name == "GIT_CONFIG_SYSTEM") && e.Value.Text != "/dev/null" && e.Value.Text != "":
			c.Config = append(c.Config, Setting{Key: "include.path", Value: e.Value})
		case e.Name == "GIT_CONFIG_PARAMETERS":
			for _, part := range recipes.SplitAlias(e.Value.Text) {
				c.set(model.Word{Text: part, Known: e.Value.Known})
			}
		}
	}
}

func (c *Call) set(w model.Word) { c.Config = append(c.Config, SettingOf(w)) }

// SettingOf reads key=value.
func SettingOf(w model.Word) Setting {
	key, value, found := strings.Cut(w.Text, "=")
	if !found {
		value = "true"
	}
	return Setting{Key: strings.ToLower(key), Value: model.Word{Text: value, Known: w.Known}}
}

// global reads what stands before the subcommand.
func (c *Call) global(args []model.Word) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		name, value, attached := strings.Cut(text, "=")
		next := func() model.Word {
			if attached {
				return model.Word{Text: value, Known: args[i].Known}
			}
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return model.Word{}
		}
		switch {
		case text == "-C":
			c.Dirs = append(c.Dirs, next())
		case text == "-c":
			attached = false
			c.set(next())
		case name == "--config-env":
			key, variable, _ := strings.Cut(next().Text, "=")
			c.Config = append(c.Config, Setting{Key: strings.ToLower(key), Value: model.Word{Text: "$" + variable}})
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
			if c.Sub == "send-pack" || c.Sub == "http-push" { // what git push runs
				c.Sub = "push"
			}
			return
		}
	}
}

// alias replaces the subcommand by what an alias of this line stands for.
// Names of git's own commands cannot be aliases. An alias that is a shell
// command (!…) is a run of its own and not looked at here.
func (c *Call) alias() bool {
	if c.Sub == "" || recipes.GitOwn(c.Sub) {
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
	words := make([]model.Word, 0, 4+len(rest))
	for _, text := range recipes.SplitAlias(value.Text) {
		words = append(words, model.Word{Text: text, Known: true})
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

// Transport is the program that a remote names which is one: ext::command.
func Transport(remote model.Word) (words []model.Word) {
	command, ok := strings.CutPrefix(remote.Text, "ext::")
	if !ok {
		return nil
	}
	for one := range strings.FieldsSeq(strings.ReplaceAll(command, "% ", "\x00")) { // %<space> is a space of a word
		one = strings.NewReplacer("\x00", " ", "%%", "%", "%S", "git-upload-pack", "%s", "upload-pack").Replace(one)
		words = append(words, model.Word{Text: one, Known: remote.Known})
	}
	return words
}
