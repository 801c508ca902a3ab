package handed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// wrote is a session that has written some files.
type wrote []string

func (w wrote) Recall(sort trammel.PastSort) (out trammel.Recalled, _ error) {
	for _, name := range w {
		if sort == trammel.WroteFile {
			out.Items = append(out.Items, trammel.Remembered{What: name})
		}
	}
	return out, nil
}

func run(line string) *model.Run {
	words := strings.Fields(line)
	r := &model.Run{Program: words[0], Path: words[0], From: -1, By: -1, Dir: model.Path{Text: "/p", Abs: "/p", Real: "/p"}}
	for _, text := range words[1:] {
		r.Args = append(r.Args, model.Word{Text: text, Known: true})
	}
	return r
}

// project is one with some files, of which the session has written some.
func project(files map[string]string, written ...string) *model.Setting {
	return &model.Setting{Dir: "/p", Project: "/p", Past: wrote(written), World: &world.Frozen{Files: files}}
}

// Of files that the session has written, those are read that a program is given, or finds
// by their names; what is only looked at is not.
func TestFiles(t *testing.T) {
	for _, c := range []struct{ file, line, option string }{
		{"x.zz", "frob x.zz", ""}, {"x.zz", "frob --with=x.zz", "--with"}, {"x.zz", "frob @x.zz", ""}, {"x.zz", "frob -fx.zz", "-fx.zz"},
		{"x.zz", "frob file=x.zz", "file"}, {"d/x.zz", "frob --dir d", "--dir"}, {".frobrc", "frob", ""}, {"frob.toml", "frob", ""},
		{"Frobfile", "frob run", ""}, {".config/frob/x", "frob", ""}, {"frob.config.js", "npx frob", ""}, {"any.yaml", "frob", ""},
		{".releaserc", "semantic-release", ""}, {"book.toml", "mdbook build", ""}, {"_plugins/x.rb", "frob build", ""},
		{"m/src/lib.rs", "cargo build", ""}, {"w.rc", "wget --config=w.rc https://x.example", "--config"}, {"x.md", "frob run x.md", ""},
		{"git-remote-x", "git fetch x::y", ""}, {"kubectl-tidy", "kubectl tidy", ""},
	} {
		at := project(map[string]string{"/p/" + c.file: "x"}, "/p/"+c.file)
		files, _ := Files(&model.Set{Runs: []model.Run{*run(c.line)}}, at)
		if len(files) != 1 || files[0].Path.Abs != "/p/"+c.file || files[0].Option != c.option {
			t.Errorf("%s of %s: %+v", c.file, c.line, files)
		}
	}
	for _, c := range [][2]string{{"x.zz", "cat x.zz"}, {"x.zz", "git add x.zz"}, {"x.zz", "yamllint x.zz"}, {"x.zz", "frob lint x.zz"},
		{"x.zz", "frob --out x.zz"}, {"x.zz", "frob y.zz"}, {"x.md", "frob x.md"}, {"x.json", "python3 y.py x.json"},
		{"x.json", "./bin/y x.json"},
		{"frob.toml", "grep x"}, {"src/lib.rs", "cargo fmt"}, {"d/any.yaml", "frob"}, {"x.zz", "frob --help x.zz"}} {
		at := project(map[string]string{"/p/" + c[0]: "x"}, "/p/"+c[0])
		if files, _ := Files(&model.Set{Runs: []model.Run{*run(c[1])}}, at); len(files) > 0 {
			t.Errorf("%s: %+v", c[1], files)
		}
	}
}

// What lies where everybody can put files is read as what the session has written is.
func TestShared(t *testing.T) {
	at := project(map[string]string{"/tmp/x.zz": "x", "/tmp/d/y.zz": "y", "/p/x.zz": "x"})
	for line, want := range map[string]string{"frob /tmp/x.zz": "/tmp/x.zz", "frob --config=/tmp/d": "/tmp/d/y.zz",
		"frob --cache=/tmp/d /tmp/d": "",
		"nodemon -q /tmp/x.zz":       "/tmp/x.zz",
		"cat /tmp/x.zz":              "", "frob x.zz": "", "frob --out /tmp/x.zz": "", "frob /tmp/none": "", "frob --dir /tmp": ""} {
		files, _ := Files(&model.Set{Runs: []model.Run{*run(line)}}, at)
		if len(files) > 1 || (len(files) == 1) != (want != "") || len(files) == 1 && files[0].Path.Abs != want {
			t.Errorf("%s: %+v", line, files)
		}
	}
}

// A file that another one names is read as well; and what nobody wrote in this session is not.
func TestMentioned(t *testing.T) {
	at := project(map[string]string{"/p/x.zz": "after: a/b.js\nbefore: a/c.js\n", "/p/a/b.js": "x", "/p/a/c.js": "x"}, "/p/x.zz", "/p/a/b.js")
	if files, _ := Files(&model.Set{Runs: []model.Run{*run("frob x.zz")}}, at); len(files) != 2 || files[1].Path.Abs != "/p/a/b.js" {
		t.Errorf("%+v", files)
	}
}

// Commands are found in any format, and not where people are told about them.
func TestSteps(t *testing.T) {
	for _, text := range []string{
		"run: rm -rf ~", `{"a": "ls", "b": "rm -rf ~"}`, "a = 'rm -rf ~'", "  [rm, -rf, ~]", "- rm\n- -rf\n- ~\n",
		"x ! rm -rf ~", "command: rm\nargs: [-rf, ~]", "<a>\n  rm -rf ~\n</a>", "a {\n  exec \"rm -rf ~\"\n}",
		"Type\trm\t-rf\t~", `pane command="rm" { args "-rf" "~" }`} {
		steps, _ := Steps(&File{Path: model.Path{Abs: "/p/x.zz"}, Text: text})
		found := false
		for _, s := range steps {
			found = found || s.Language == "shell" && strings.Join(strings.Fields(strings.ReplaceAll(s.Text, "'", "")), " ") == "rm -rf ~"
		}
		if !found {
			t.Errorf("%s: %v", text, steps)
		}
	}
	for _, text := range []string{"# rm -rf ~", "description: do not rm -rf ~", `if cmd == "rm -rf ~"`,
		"patterns:\n- rm -rf ~\n", "// rm -rf ~"} {
		steps, _ := Steps(&File{Path: model.Path{Abs: "/p/x.yaml"}, Text: text})
		for _, s := range steps {
			if s.Language == "shell" {
				t.Errorf("%s: %v", text, steps)
			}
		}
	}
}

// A bound that is reached is told.
func TestBounds(t *testing.T) {
	long := strings.Repeat("a: rm x y z\nb: rm a b c\n", maxText/20)
	at := project(map[string]string{"/p/x.zz": long}, "/p/x.zz")
	files, _ := Files(&model.Set{Runs: []model.Run{*run("frob x.zz")}}, at)
	if len(files) != 1 || !files[0].Long || len(files[0].Text) != maxText {
		t.Errorf("%d files", len(files))
	}
	var lines strings.Builder
	for i := range 2 * maxSteps {
		lines.WriteString("a: rm " + strings.Repeat("x", i+1) + "\n")
	}
	if steps, more := Steps(&File{Path: model.Path{Abs: "/p/x.zz"}, Text: lines.String()}); !more || len(steps) != maxSteps {
		t.Errorf("%d steps, %v", len(steps), more)
	}
	var names wrote
	all := map[string]string{}
	line := "frob"
	for i := range maxFiles + 1 {
		name := strings.Repeat("x", i+1) + ".zz"
		names, all["/p/"+name] = append(names, "/p/"+name), "x"
		line += " " + name
	}
	at = project(all, names...)
	if files, more := Files(&model.Set{Runs: []model.Run{*run(line)}}, at); !more || len(files) != maxFiles {
		t.Errorf("%d files, %v", len(files), more)
	}
	at = project(map[string]string{"/p/x.zz": strings.Repeat("x", maxFile+1)}, "/p/x.zz")
	if files, _ := Files(&model.Set{Runs: []model.Run{*run("frob x.zz")}}, at); len(files) != 1 || !files[0].Long {
		t.Errorf("%d files", len(files))
	}
	if _, more := Files(&model.Set{Runs: []model.Run{*run("frob" + strings.Repeat(" y", maxArgs+1))}}, at); !more {
		t.Error("arguments beyond the limit are forgotten")
	}
	names, all = nil, map[string]string{"/p/d/": ""}
	for i := range maxNames + 1 {
		name := fmt.Sprintf("/p/d/%d", i)
		names, all[name] = append(names, name), "x"
	}
	if _, more := Files(&model.Set{Runs: []model.Run{*run("frob d")}}, project(all, names...)); !more {
		t.Error("files of a folder beyond the limit are forgotten")
	}
}
