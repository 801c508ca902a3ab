package gitbypass

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// run makes a run of a line: NAME=value words, then git. A word that begins
// with $ is not known.
func run(line string) *model.Run {
	r := &model.Run{}
	for _, text := range recipes.SplitAlias(line) {
		w := model.Word{Text: text, Known: !strings.HasPrefix(text, "$")}
		name, value, assign := strings.Cut(text, "=")
		switch {
		case r.Program == "" && assign:
			r.Env = append(r.Env, model.Assign{Name: name, Value: model.Word{Text: value, Known: true}})
		case r.Program == "":
			r.Program = text
		default:
			r.Args = append(r.Args, w)
		}
	}
	return r
}

// TestBypass reads testdata/bypass.txt: a line, and how it avoids hooks
// (FLOW-33: the evasions of the requirements among them).
func TestBypass(t *testing.T) {
	data, err := os.ReadFile("testdata/bypass.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		text, want, _ := strings.Cut(line, " =>")
		c, ok := programs.ReadGit(run(text))
		if got := Of(&c); !ok || got != strings.TrimSpace(want) {
			t.Errorf("%s => %q, want %q", text, got, strings.TrimSpace(want))
		}
	}
}

func TestReadGit(t *testing.T) {
	for line, want := range map[string]string{
		"git status":                                  "status",
		"git -C /x --no-pager -c a.b=c log -3":        "log -3",
		"git --git-dir=/x/.git --work-tree /x status": "status",
		"git -c 'alias.wipe=reset --hard' wipe HEAD":  "reset --hard HEAD",
		"git -c alias.a=b -c alias.b='clean -f' a -d": "clean -f -d",
		"git -c 'alias.status=reset --hard' status":   "status",
		"git -c 'alias.x=!rm -rf /' x":                "",
		"git -c alias.x=x x":                          "x",
		"git $SUB --hard":                             "",
		"git --version":                               "",
		"git":                                         "",
		"ls -la":                                      "not git",
	} {
		c, ok := programs.ReadGit(run(line))
		got := c.Sub
		for _, a := range c.Args {
			got += " " + a.Text
		}
		if !ok {
			got = "not git"
		}
		if got != want {
			t.Errorf("%s is %q, want %q", line, got, want)
		}
	}
}

func FuzzReadGit(f *testing.F) {
	f.Add("git -c alias.x='y z' x --no-ver -nm")
	f.Add("A=b git -c a commit -")
	f.Fuzz(func(t *testing.T, line string) {
		c, _ := programs.ReadGit(run(line))
		if c.Run != nil {
			Of(&c)
		}
	})
}
