package shellguard

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// shop is the machine of the guard's own corpus.
func shop() *model.Setting {
	files := map[string]string{}
	for _, name := range strings.Fields("/bin/ /boot/ /dev/ /etc/ /home/ann/.ssh/ /home/ann/other/.git/ /home/ann/shop/.git/ " +
		"/home/ann/shop/build/ /home/ann/shop/src/ /home/bob/ /lib/ /opt/ /proc/ /root/ /tmp/build/ /usr/bin/ /usr/local/ /var/lib/ /var/log/ " +
		"/home/ann/shop/package.json /home/ann/shop/.env /home/ann/.ssh/id_rsa /home/ann/.bash_history") {
		files[name] = ""
	}
	return machine("/home/ann/shop", "/home/ann/shop", "/home/ann", "ann", files, nil)
}

// machine is one that stands still.
func machine(dir, project, home, user string, files, links map[string]string) *model.Setting {
	return &model.Setting{Dir: dir, Project: project, World: &world.Frozen{HomeDir: home, UserName: user, Files: files, Links: links,
		Env: map[string]string{"HOME": home, "PWD": dir, "USER": user}}}
}

func careful(t testing.TB) *guard {
	h, err := Policy().New(trammel.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	return h.(*guard)
}

func (g *guard) ask(at *model.Setting, command string) trammel.Answer {
	return g.answer(effects.Derive(&trammel.Action{Kind: trammel.ShellAction, Command: command}, at), at)
}

// lines reads a file of the corpus.
func lines(t testing.TB, file string) []string {
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, strings.ReplaceAll(line, "␤", "\n"))
		}
	}
	return out
}

func TestAttacksAreDenied(t *testing.T) {
	g, m := careful(t), shop()
	for _, line := range lines(t, "attacks.txt") {
		want, command, _ := strings.Cut(line, " ")
		a := g.ask(m, command)
		if a.Decision != trammel.Deny || !has(a, want) {
			t.Errorf("%q\n\tis %s with %v, want deny for %s", command, a.Decision, a.Findings, want)
		}
	}
}

func has(a trammel.Answer, code string) bool {
	for _, f := range a.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

func TestOrdinaryCommandsPass(t *testing.T) { pass(t, "ordinary.txt") }

// What the model would see of secrets, and what leaves by a new way, is a
// person's to decide at every level.
func TestSecretsAreAskedAbout(t *testing.T) {
	g, m := careful(t), shop()
	for _, command := range lines(t, "asked.txt") {
		if a := g.ask(m, command); a.Decision != trammel.Ask {
			t.Errorf("%q\n\tis %s with %v", command, a.Decision, a.Findings)
		}
	}
}

// Each level stops what the file says from there on, and nothing that it says
// never to stop.
func TestLevels(t *testing.T) {
	m := shop()
	for n, level := range []string{"careful", "standard", "strict"} {
		g := careful(t)
		g.options.Level = level
		for _, line := range lines(t, "levels.txt") {
			from, command, _ := strings.Cut(line, " ")
			want := from == "careful" || from == "standard" && n > 0 || from == "strict" && n > 1
			if a := g.ask(m, command); a.Decision > trammel.Allow != want {
				t.Errorf("%s: %q\n\tis %s with %v", level, command, a.Decision, a.Findings)
			}
		}
	}
}

func TestMentionsPass(t *testing.T) { pass(t, "mentions.txt") }

func pass(t *testing.T, file string) {
	g, m := careful(t), shop()
	for _, command := range lines(t, file) {
		if a := g.ask(m, command); a.Decision != trammel.None {
			t.Errorf("%q\n\tis %s: %s", command, a.Decision, a.Reason)
		}
	}
}

// TestWrappers puts every payload behind every wrapper, where @X stands for it,
// and an ordinary command, which must pass.
func TestWrappers(t *testing.T) {
	g, m := careful(t), shop()
	payloads := lines(t, "payloads.txt")
	for _, wrapper := range lines(t, "wrappers.txt") {
		for _, payload := range payloads {
			command := strings.ReplaceAll(wrapper, "@X", payload)
			if a := g.ask(m, command); a.Decision != trammel.Deny {
				t.Errorf("%q is %s with %v", command, a.Decision, a.Findings)
			}
		}
		command := strings.ReplaceAll(wrapper, "@X", "ls -la src")
		if a := g.ask(m, command); a.Decision != trammel.None {
			t.Errorf("%q is %s: %s", command, a.Decision, a.Reason)
		}
	}
}

// TestSuggestionsPass runs every command that a reason suggests through the
// strictest guard that asks nobody.
func TestSuggestionsPass(t *testing.T) {
	g, m := careful(t), shop()
	g.options.Level = "standard"
	for _, e := range entries(t) {
		for i, part := range strings.Split(e.instead, "`") {
			if i%2 == 0 {
				continue
			}
			if a := g.ask(m, part); a.Decision != trammel.None {
				t.Errorf("%s suggests %q, which is %s: %s", e.code, part, a.Decision, a.Reason)
			}
		}
	}
}

func (g *guard) answer(set *effects.Set, at *model.Setting) trammel.Answer {
	return g.options.decide(judgeSet(set, at, &g.options))
}
