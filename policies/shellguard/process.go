package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// kills judges signals to the agent itself, or to everything.
func (j *judge) kills(i int) {
	r := &j.set.Runs[i]
	w := programs.Parse(r)
	if r.Program == "kill" || r.Program == "stop-process" {
		j.killsID(i)
		return
	}
	if r.Program != "taskkill" && w.Has("0") {
		return // only asks whether it runs
	}
	for _, a := range r.Args {
		name := strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(a.Text, ".exe"), "*"))
		switch {
		case agentName(name):
			j.add("kills_session", j.line(i))
		case words.Guards(name):
			j.add("security_disabled", j.line(i))
		case name == "node" || name == "bun" || name == "python" || name == "python3" || name == "bash" || name == "zsh" || name == "sh" ||
			name == "tmux" || name == "sshd" || name == "." || name == ".*":
			j.add("kills_many", j.line(i))
		}
	}
	if user, _ := w.Value("u", "U"); len(w.Operands) == 0 && user.Text != "" {
		j.add("kills_session", j.line(i))
	}
}

// killsID judges kill with process ids.
func (j *judge) killsID(i int) {
	r := &j.set.Runs[i]
	signal := false // whether the signal has been read
	for n, a := range r.Args[:min(len(r.Args), 1000)] {
		text := a.Text
		switch {
		case r.Program == "stop-process" && words.Guards(text):
			j.add("security_disabled", j.line(i))
		case n > 0 && (r.Args[n-1].Text == "-s" || r.Args[n-1].Text == "-n"):
			signal = true
		case text == "--":
			signal = true
		case strings.HasPrefix(text, "-") && !signal && n == 0 && len(r.Args) > 1:
			signal = true
			if text == "-0" || text == "-l" || text == "-L" {
				return
			}
		case text == "0" && r.By >= 0 && j.set.Runs[r.By].Program == "trap": // the jobs of the script itself, when it ends
		case text == "-1", text == "0", text == "1", strings.Contains(text, "$PPID"), strings.Contains(text, "${PPID"),
			strings.TrimLeft(text, "-") == "$$" && strings.HasPrefix(text, "-"):
			j.add("kills_session", j.line(i))
		}
	}
	finders := r.Uses
	if r.More && r.By >= 0 {
		finders = append(finders[:len(finders):len(finders)], j.set.Runs[r.By].From)
	}
	if r.Program == "stop-process" { // Get-Process claude | Stop-Process
		finders = append(finders[:len(finders):len(finders)], r.From)
	}
	for _, finder := range finders {
		if j.finds(finder, agentName) {
			j.add("kills_session", j.line(i))
		} else if j.finds(finder, words.Guards) {
			j.add("security_disabled", j.line(i))
		}
	}
}

// finds reports whether a run, or one before it in the pipe, looks up processes of
// such a name.
func (j *judge) finds(run int, is func(name string) bool) bool {
	for n := 0; run >= 0 && n < 50; run, n = j.set.Runs[run].From, n+1 {
		r := &j.set.Runs[run]
		if r.Program != "pgrep" && r.Program != "pidof" && r.Program != "grep" && r.Program != "awk" && r.Program != "get-process" {
			continue
		}
		for _, a := range r.Args {
			// A pattern may be more than the name: [c]laude, /claude/ {print $2}.
			text := strings.NewReplacer("[", "", "]", "").Replace(strings.ToLower(a.Text))
			for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') }) {
				if is(word) && (len(word) > 2 || word == text) {
					return true
				}
			}
		}
	}
	return false
}

// agentName reports whether a program is an agent, or what guards one.
func agentName(name string) bool {
	if name == "trammel" || name == "trammel-hook" {
		return true
	}
	h := standard.Program(name)
	if h == nil {
		h = standard.Host(name)
	}
	return h != nil && len(h.Facts().Programs) > 0 && !h.Facts().Ordinary
}
