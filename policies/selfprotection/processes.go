package selfprotection

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
)

// signals reports whether a run that stops, slows or takes over processes targets
// ours.
func (j *judgement) signals(i int) (string, bool) {
	r := &j.set.Runs[i]
	unknown := r.More
	for _, w := range r.Args {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		if strings.Contains(strings.ToLower(w.Text), "trammel") || strings.HasSuffix(r.Program, "kill") && r.Program != "kill" &&
			matchesName(w.Text) || r.Program == "killall" && matchesName(w.Text) && hasArg(r, "-r", "--regexp") {
			return w.Text, true
		}
		unknown = unknown || !w.Known
	}
	if !unknown {
		return "", false
	}
	return j.sought()
}

// sought returns our processes that the line looks up: kill $(pgrep trammel). It is
// computed once per line, which may be a loop with a thousand kills.
func (j *judgement) sought() (string, bool) {
	if j.seeks == nil {
		found := ""
		tried := map[string]bool{}
		for k := range j.set.Runs {
			other := &j.set.Runs[k]
			for _, w := range other.Args {
				pattern := finds(other.Program) && !strings.HasPrefix(w.Text, "-") && !tried[w.Text]
				tried[w.Text] = tried[w.Text] || pattern
				if found == "" && (strings.Contains(strings.ToLower(w.Text), "trammel") || pattern && matchesName(w.Text)) {
					found = w.Text
				}
			}
		}
		j.seeks = &found
	}
	return *j.seeks, *j.seeks != ""
}

func hasArg(r *effects.Run, options ...string) bool {
	return slices.ContainsFunc(r.Args, func(w effects.Word) bool { return slices.Contains(options, w.Text) })
}

// finds reports whether a program finds processes by a pattern.
func finds(program string) bool {
	return slices.Contains([]string{"pgrep", "pidof", "grep", "egrep", "awk", "rg", "pidwait"}, program)
}

// matchesName reports whether a pattern of pkill matches our processes, as hosts
// start them, but not everything.
func matchesName(pattern string) bool {
	re, err := regexp.Compile("(?i)" + pattern)
	if err != nil || re.MatchString("") || re.MatchString("vim") || re.MatchString("/usr/bin/python3 server.py") ||
		re.MatchString("node /srv/app") {
		return false
	}
	ours := re.MatchString("trammel") || re.MatchString("trammel-hook") || re.MatchString("trammel serve")
	for _, h := range standard.Hosts() {
		if !h.Wirable() {
			continue // it does not start our processes
		}
		if re.MatchString(h.Name()) {
			return false // the agent itself, which our command lines name
		}
		ours = ours || re.MatchString("trammel-hook "+h.Name()+" PreToolUse")
	}
	return ours && !re.MatchString("serve")
}
