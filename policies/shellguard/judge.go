package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/encoded"
)

// finding is one thing that was found.
type finding struct {
	code   code
	target string
	first  string // a command to try first
}

// judge is the state while one set of effects is judged.
type judge struct {
	set     *effects.Set
	at      *model.Setting
	ground  paths.Ground
	options *Options
	found   []finding

	gits     *bool                   // whether git runs, computed on demand
	moves    []*effects.File         // what is moved, computed on demand
	searches map[int][]*effects.File // what each run searches, computed on demand
}

// enough is the maximum number of findings per code. Nobody reads more, and a line
// with a thousand deletions is denied by the first. Other codes still count.
const enough = 20

func judgeSet(set *effects.Set, at *model.Setting, o *Options) []finding {
	j := &judge{set: set, at: at, ground: paths.On(at), options: o}
	for i := range set.Files {
		if i == 0 || !j.again(&set.Files[i-1], &set.Files[i]) {
			j.file(&set.Files[i])
		}
	}
	for i := range set.Far {
		j.readsFar(&set.Far[i])
	}
	for i := range set.Runs {
		j.run(i, &set.Runs[i])
		j.services(i)
	}
	if len(set.Nets) > 0 || len(set.Codes) > 0 {
		j.flows()
	}
	j.foreign()
	for _, bomb := range set.Bombs {
		j.add("fork_bomb", bomb)
	}
	for i := range set.Traps {
		t := &set.Traps[i]
		if host, _ := paths.HostOf(t.What); (t.Code == "foreign" || t.Code == "stranger") &&
			strings.Contains(t.What, "://") && j.knownHost(host) {
			continue // the project comes from there, too
		}
		j.add(trapCode(t.Code), t.What+" "+t.Why)
	}
	for i := range set.Doubts {
		j.doubt(&set.Doubts[i])
	}
	if slices.ContainsFunc(j.found, func(f finding) bool { return f.code == "exfiltration" }) { // which says more
		j.found = slices.DeleteFunc(j.found, func(f finding) bool { return f.code == "reads_secret" || f.code == "sends_project" })
	}
	return j.found
}

// again reports whether the same program does the same thing to the same file
// again, so that a loop over a thousand lines is judged once.
func (j *judge) again(a, b *effects.File) bool {
	return a.Op == b.Op && a.Tree == b.Tree && a.Device == b.Device && a.Append == b.Append && a.Path == b.Path && a.To == b.To &&
		a.Run >= 0 && b.Run >= 0 &&
		j.set.Runs[a.Run].Program == j.set.Runs[b.Run].Program && j.set.Runs[a.Run].By == j.set.Runs[b.Run].By
}

func (j *judge) add(c code, target string) {
	target = short(target)
	same := 0
	for _, f := range j.found {
		if f.code == c && f.target == target {
			return
		}
		if f.code == c {
			same++
		}
	}
	if same < enough {
		j.found = append(j.found, finding{code: c, target: target})
	}
}

func short(s string) string {
	s, _, more := strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 120 {
		s, more = s[:120], true
	}
	if more {
		return strings.ToValidUTF8(s, "") + "…"
	}
	return strings.ToValidUTF8(s, "�")
}

// trapCode is the code of a finding about a trap.
func trapCode(trap string) code {
	switch trap {
	case "hidden":
		return "hidden_characters"
	case "lookalike":
		return "deceptive_name"
	case "package":
		return "package_name"
	case "foreign":
		return "foreign_source"
	}
	return "unchecked_source"
}

func (j *judge) doubt(d *model.Doubt) {
	if encoded.Runs(j.set, d) {
		j.add("decoded_code", d.What)
	}
	switch d.Code {
	case "code":
		if j.runsInput(d) {
			j.remote(&model.Code{Language: programs.Language(&j.set.Runs[d.Run]), Origin: model.Network, Run: d.Run})
		}
		j.add("unknown_code", d.What)
	case "argument":
		if d.Run < 0 {
			j.add("unknown_tool", d.What)
			break
		}
		fallthrough
	case "program", "path", "stdin", "syntax", "past":
		j.add(code("unknown_"+d.Code), d.What)
	default: // size, depth, and anything unexpected
		j.add("too_complex", d.What)
	}
}

// decide makes the answer from the findings. The worst one decides and gives the
// reason.
func (o *Options) decide(found []finding) trammel.Answer {
	var a trammel.Answer
	for _, f := range found {
		e, _ := find(f.code)
		a.Findings = append(a.Findings, trammel.Finding{Code: string(f.code), Severity: e.severity, Target: f.target})
		if d := o.decision(e); d > a.Decision {
			a.Decision = d
			a.Reason = reason(f, e)
		}
	}
	return a
}

func (o *Options) decision(e entry) trammel.Decision {
	switch name := string(e.code); {
	case slices.Contains(o.Deny, name):
		return trammel.Deny
	case slices.Contains(o.Ask, name):
		return trammel.Ask
	case slices.Contains(o.Allow, name):
		return trammel.None
	}
	switch e.severity {
	case critical, failure:
		if e.asks && o.Level == "careful" {
			return trammel.Ask
		}
		return trammel.Deny
	case warning:
		switch {
		case o.Level == "strict" && e.secret:
			return trammel.Deny
		case o.Level == "strict", o.Level == "standard" && !e.mild, e.asks:
			return trammel.Ask
		}
	case info:
		switch {
		case o.Unknown == "deny":
			return trammel.Deny
		case o.Unknown == "ask", o.Unknown == "" && o.Level == "strict":
			return trammel.Ask
		}
	}
	return trammel.None
}

func reason(f finding, e entry) string {
	text := f.target + ": " + e.why + "."
	if f.target == "" {
		text = strings.ToUpper(e.why[:1]) + e.why[1:] + "."
	}
	if e.instead != "" {
		text += " " + e.instead
	}
	if f.first != "" {
		text += " First look: `" + f.first + "`."
	}
	return text
}

// line returns a run as a command line, for people.
func (j *judge) line(i int) string {
	r := &j.set.Runs[i]
	var b strings.Builder
	b.WriteString(r.Program)
	for _, w := range r.Args {
		if b.Len() > 130 {
			break
		}
		b.WriteByte(' ')
		b.WriteString(w.Text)
	}
	return b.String()
}
