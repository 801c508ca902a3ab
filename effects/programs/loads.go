package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/fit"
	"github.com/trammel-dev/trammel/effects/programs/projects"
	"github.com/trammel-dev/trammel/effects/programs/rows"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/varnames"
)

// loads reads the files of the project that a program runs by itself: a
// configuration that is code, a recipe, the scripts of a package. @ are its
// operands, which it compiles or runs, and @PATTERN the files of that name in
// the folders that it is given, @: modules that its operands and -A name: main:app, and
// -x a file that the option names.
func (c *call) loads(row *Row) {
	names, edits := row.field("loads"), row.field("edits")
	if sub, _, ok := row.enter(c.host.Run().Args); ok {
		names += " " + sub.field("loads")
	}
	run := c.host.Run()
	if run.Remote {
		return
	}
	c.installs(run)
	c.project(row)
	if (names == " " || names == "") && edits == "" {
		return
	}
	var words []string
	a := row.Parse(run.Args)
	if row.Name == "make" && shows(&a) {
		words = append(words, recipes.Shown)
	}
	words = append(words, projects.Passed(c.called, names, run.Args, a.Operands)...)
	if dir, ok := a.Value("C", "dir", "cwd", "prefix", "chdir", "directory", "project-directory", "working-directory", "S"); ok {
		c.enter(c.host.Resolve(dir, run.Dir))
	}
	c.edits(edits, &a)
	if manifest, ok := a.Value("manifest-path"); ok && manifest.Known {
		c.enter(c.place(word(path.Dir(manifest.Text))))
	}
	if row.Name == "go" && !a.Says("run", "test", "generate") || row.Name == "terraform" && a.Says("fmt", "version") { // it only compiles
		return
	}
	if a.Word(0) == "pkg" && a.Word(1) == "set" { // npm pkg set scripts.test=…
		for _, w := range a.Operands[2:] {
			if key, script, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(key, "scripts.") {
				c.host.Command(Word{Text: script, Known: w.Known})
			}
		}
		return
	}
	if strings.Contains(names, "@") && (slices.Contains(words, "-") || slices.Contains(words, "/dev/stdin")) {
		c.load(word("/dev/stdin"), nil) // gcc -xc - <<< code
	}
	for name := range strings.FieldsSeq(names) {
		pattern, given := strings.CutPrefix(name, "@")
		switch {
		case name[0] == '-':
			c.loadOption(name, words)
		case !given && strings.Contains(name, "*"):
			c.loadFrom(path.Split(name))
		case !given:
			c.load(word(name), words)
		case pattern == ":":
			for _, w := range slices.Concat(a.All("A"), a.All("app"), a.Operands) {
				module, _, _ := strings.Cut(strings.TrimSuffix(w.Text, ".py"), ":")
				c.load(Word{Text: strings.ReplaceAll(module, ".", "/") + ".py", Known: w.Known}, nil)
			}
		case pattern == "":
			for _, w := range a.Operands {
				if path.Ext(w.Text) != "" || len(c.held(w)) > 0 || strings.HasPrefix(w.Text, "/dev/fd/") { // clang -x c <(…)
					c.load(w, nil)
				}
			}
		default:
			c.loadMatching(pattern, a.Operands)
		}
	}
}

// project lists what files of the project say: the hosts from which the program fetches,
// and the scripts of workspaces that it runs.
func (c *call) project(row *Row) {
	at := projects.Host{Place: c.place, IsDir: c.host.IsDir, Names: c.host.Names, Doubt: c.host.Doubt, Text: func(p Path) (text string) {
		for _, held := range c.heldAt(p) {
			return held.Text
		}
		text, _ = c.host.Text(p.Real)
		return text
	}}
	a := row.Parse(c.host.Run().Args)
	if row.area() == "container" || !row.has("fetch") || row.says("fetch", c.host.Run().Args) {
		for _, n := range projects.Origins(at, row.Name, &a) {
			c.host.AddNet(n)
		}
	}
	for _, step := range projects.Settings(row.Name, &a) {
		c.host.Script(step.Text)
	}
	dir := c.dir
	for _, s := range projects.Scripts(at, row.Name, &a) {
		c.enter(s.Dir)
		c.load(word(s.File), s.Words)
	}
	c.dir = dir
}

// edits lists the files of the project that a program keeps, where the arguments
// make it write them: package.json for npm install x.
func (c *call) edits(field string, a *Args) {
	for rest := field; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, "+")
		if patterns, files, _ := strings.Cut(one, ">"); fit.Any(patterns, a) {
			for name := range strings.FieldsSeq(files) {
				w, ok := a.Value("manifest-path", "gemfile")
				if !ok {
					w = word(name)
				}
				c.add(File{Op: Write, Append: true, Kept: true}, w)
			}
		}
	}
}

// loadOption reads a file that an option names, with a command on each line behind
// a word that says what it is for.
func (c *call) loadOption(option string, words []string) {
	args := c.host.Run().Args
	for i, w := range args {
		value, attached := strings.CutPrefix(w.Text, option)
		if w.Text == option && i+1 < len(args) {
			value = args[i+1].Text
		} else if !attached || w.Text == option {
			continue
		}
		value = strings.TrimPrefix(value, "=")
		p := c.place(word(value))
		held := c.host.Holds(p)
		if value == "-" && c.name != "curl" { // which reads it itself
			held = []Stream{c.host.Input()}
		}
		for _, content := range held { // what this line has written, or writes to it
			if content.Network && !strings.HasPrefix(c.name, "kubectl") { // kubectl get x -o yaml | kubectl apply -f -
				c.host.AddCode(model.Code{Language: "unknown", Origin: model.Network, File: p})
			}
			c.host.Script(recipes.Arguments(c.host.Run().Program, content.Text, words))
		}
		files := []string{""}
		if c.host.IsDir(p) {
			files = c.host.Names(p)
		}
		for _, name := range files {
			if text, ok := c.host.Text(path.Join(p.Real, name)); ok && len(held) == 0 {
				c.host.OnDisk("shell", recipes.Arguments(c.host.Run().Program, text, words))
				if language := recipes.Language(value); language != "shell" && language != "unknown" { // gdb -x x.py
					c.host.OnDisk(language, text)
				}
			}
		}
	}
}

// installs lists packages that this line or the session has fetched to a file, and
// that the program installs: apt install ./x.deb.
func (c *call) installs(run *model.Run) {
	words := run.Args
	if git, ok := ReadGit(run); ok && git.Sub == "clone" { // it makes the folder itself
		words = git.Options().Operands[:min(1, len(git.Options().Operands))]
	}
	for _, w := range words {
		if w.Text = strings.TrimPrefix(w.Text, "file:"); len(path.Ext(w.Text)) < 2 || strings.Contains(w.Text, "://") {
			continue
		}
		for _, content := range c.held(w) {
			if content.Network && Adopts(run) != "" {
				c.host.AddCode(model.Code{Language: model.PackageFile, Origin: model.Network, File: c.place(w)})
			}
		}
	}
}

// load reads one file: as this line has written it, or as it is there.
func (c *call) load(w Word, words []string) {
	p := c.place(w)
	held := c.heldAt(p)
	if len(held) == 0 && (!p.Known() || p.Glob) {
		return
	}
	for _, content := range held {
		switch {
		case content.Network:
			c.host.AddCode(model.Code{Language: recipes.Language(p.Abs), Origin: model.Network, File: p})
		case content.Known:
			for _, step := range recipes.Of(p.Abs, content.Text, words) {
				if step.Language == "shell" {
					c.host.Script(step.Text)
				} else {
					c.host.Inline(step.Language, step.Text)
				}
			}
		default:
			c.host.Doubt("code", w.Text)
		}
	}
	if len(held) > 0 {
		return
	}
	if text, ok := c.host.Text(p.Real); ok {
		for _, name := range recipes.Included(p.Abs, text) {
			more, _ := c.host.Text(c.place(word(name)).Real)
			text += "\n" + more
		}
		for _, name := range recipes.Also(p.Abs, text) {
			c.load(word(name), nil)
		}
		for _, step := range recipes.Of(p.Abs, text, words) {
			c.host.OnDisk(step.Language, step.Text)
		}
	}
}

// held is what this line gives a file that a word names; - is standard input.
func (c *call) held(w Word) []Stream {
	if w.Text != "-" && !c.host.Written() && !strings.HasPrefix(w.Text, "/") { // as most lines do not
		return nil
	}
	return c.heldAt(c.place(w))
}

func (c *call) heldAt(p Path) []Stream {
	if p.Text == "-" && c.host.Fed() {
		return []Stream{c.host.Input()}
	} else if p.Known() && !p.Glob {
		return c.host.Holds(p)
	}
	return nil
}

// loadMatching reads the files of a pattern in the folders among the words, or in
// the working directory. dir/... is that folder, and what lies right below it.
func (c *call) loadMatching(pattern string, operands []Word) {
	found := false
	for _, w := range operands {
		if ok, _ := path.Match(pattern, path.Base(w.Text)); ok {
			c.load(w, nil)
			return
		}
		if dir, all := strings.CutSuffix(w.Text, "..."); all {
			found = true
			for _, name := range c.loadFrom("./"+dir, pattern) {
				if strings.IndexByte(name, '.') < 0 {
					c.loadFrom("./"+dir+name, pattern)
				}
			}
		} else if strings.HasPrefix(w.Text, ".") || strings.Contains(w.Text, "/") || c.host.IsDir(c.place(w)) || !strings.Contains(pattern, "*") {
			found = true
			c.loadFrom(w.Text, pattern)
		}
	}
	if !found {
		c.loadFrom(".", pattern)
	}
}

// loadFrom reads the files of a pattern in one folder, and returns all names there.
func (c *call) loadFrom(dir, pattern string) []string {
	if !strings.Contains(pattern, "*") { // this line may have written it
		c.load(word(strings.TrimSuffix(dir, "/")+"/"+pattern), nil)
		return nil
	}
	names := c.host.Names(c.place(word(dir)))
	for _, name := range names {
		if ok, _ := path.Match(pattern, name); ok {
			c.load(word(strings.TrimSuffix(dir, "/")+"/"+name), nil)
		}
	}
	return names
}

// Variable lists what a variable that is set for later makes programs run.
func Variable(host Host, e model.Assign) {
	(&call{host: host, row: &noRow, dir: host.Run().Dir}).variables(e)
}

// variables reads what variables make a program run, or load before anything else.
func (c *call) variables(all ...model.Assign) {
	for _, e := range all {
		switch text := e.Value.Text; {
		case !e.Value.Known || varnames.Message(e.Name) || !c.lines().Is(text):
		case !strings.Contains(text, `:\`) && !strings.Contains(text, "%"):
			c.host.Command(e.Value)
		default: // it is for Windows
			c.host.RunText("commandline", e.Value)
		}
		for _, l := range recipes.Variable(e.Name, e.Value.Text) {
			switch {
			case l.File && l.Language == "":
				c.load(word(l.Text), nil)
			case l.File && l.Language == "write":
				c.add(File{Op: Write, Append: true}, word(l.Text))
			case l.File:
				c.host.RunFile(l.Language, Word{Text: l.Text, Known: e.Value.Known})
			case l.Language == "shell":
				c.host.Script(l.Text)
			default:
				c.host.Inline(l.Language, l.Text)
			}
		}
	}
}

// Loaded reports whether one of the programs runs the file with a name in a project.
func Loaded(name string) bool {
	at, _ := rows.Bisect(loaded, name)
	return at >= 0 && len(name) > 1
}
