// Package hostspage writes docs/hosts.md: what each host can do, from the
// dialects' tables and the last end-to-end run.
package hostspage

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Outcome is one scenario of the end-to-end tests on one host.
type Outcome struct {
	Host     string  `json:"host"`
	Version  string  `json:"version"`
	Scenario string  `json:"scenario"`
	Result   string  `json:"result"` // pass, fail, skip
	Seconds  float64 `json:"seconds"`
}

// ReadOutcomes reads the report of an end-to-end run: JSON lines.
func ReadOutcomes(r io.Reader) ([]Outcome, error) {
	var out []Outcome
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var o Outcome
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("end-to-end report, line %d: %w", n, err)
		}
		if o.Host == "" || o.Scenario == "" || !slices.Contains([]string{"pass", "fail", "skip"}, o.Result) {
			return nil, fmt.Errorf("end-to-end report, line %d: found host %q, scenario %q, result %q; expected names, and pass, fail or skip", n,
				o.Host, o.Scenario, o.Result)
		}
		out = append(out, o)
	}
	return out, in.Err()
}

// Markdown renders the support matrix, the declarations and, if there is one,
// the last end-to-end run, for docs/hosts.md. The same input gives the same
// bytes.
func Markdown(list []Declaration, last []Outcome) string {
	p := &page{}
	p.matrix(list)
	p.outcomes(last)
	for i := range list {
		p.declaration(&list[i])
	}
	return p.String()
}

type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) row(cells ...string) { p.line("| %s |", strings.Join(cells, " | ")) }

// matrix is hosts × effects, with a footnote per host that has gaps.
func (p *page) matrix(list []Declaration) {
	head := []string{"host", "level"}
	for _, e := range effects {
		head = append(head, e.name)
	}
	p.row(head...)
	p.line("|%s", strings.Repeat("---|", len(head)))
	notes := 0
	for _, d := range list {
		name := d.Host
		if len(d.Gaps) > 0 {
			notes++
			name += fmt.Sprintf(" [^%d]", notes)
		}
		cells := []string{name, d.Level.String()}
		for _, e := range d.Effects {
			cells = append(cells, cell(e.Comes))
		}
		p.row(cells...)
	}
	p.line("")
	notes = 0
	for _, d := range list {
		if len(d.Gaps) > 0 {
			notes++
			p.line("[^%d]: %s: %s.", notes, d.Host, strings.Join(d.Gaps, "; "))
		}
	}
	p.line("")
}

// cell shows everything but yes and no event in italics.
func cell(comes string) string {
	switch comes {
	case "yes":
		return "yes"
	case "no event":
		return "–"
	}
	return "*" + comes + "*"
}

func (p *page) outcomes(last []Outcome) {
	if len(last) == 0 {
		return
	}
	p.line("## The last end-to-end run\n")
	p.row("host", "version", "passed", "failed", "skipped", "seconds")
	p.line("|%s", strings.Repeat("---|", 6))
	for _, host := range hostsOf(last) {
		var passed, failed, skipped []string
		version, seconds := "", 0.0
		for _, o := range last {
			if o.Host != host {
				continue
			}
			version = o.Version
			seconds += o.Seconds
			switch o.Result {
			case "pass":
				passed = append(passed, o.Scenario)
			case "fail":
				failed = append(failed, o.Scenario)
			default:
				skipped = append(skipped, o.Scenario)
			}
		}
		p.row(host, version, fmt.Sprint(len(passed)), named(failed), named(skipped), fmt.Sprintf("%.0f", seconds))
	}
	p.line("")
}

func hostsOf(list []Outcome) []string {
	var out []string
	for _, o := range list {
		if !slices.Contains(out, o.Host) {
			out = append(out, o.Host)
		}
	}
	slices.Sort(out)
	return out
}

// named counts, and names what is counted.
func named(list []string) string {
	if len(list) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", len(list), strings.Join(list, ", "))
}

func (p *page) declaration(d *Declaration) {
	title := d.Host
	if d.Version != "" {
		title += " " + d.Version
	}
	p.line("## %s\n", title)
	p.line("Level %s.\n", d.Level)
	p.row("event", "the host's name", "an answer can", "deadline")
	p.line("|%s", strings.Repeat("---|", 4))
	for _, c := range d.Events {
		if len(c.Names) == 0 {
			continue
		}
		p.row(c.Event, strings.Join(c.Names, ", "), c.Can, cmp.Or(c.Deadline, "–"))
	}
	p.line("")
	for _, c := range d.Policies {
		p.line("* %s: %s at %s", c.Policy, c.Comes, c.At)
	}
	p.line("")
	if len(d.Degradations) > 0 {
		p.line("What it cannot do:\n")
		for _, g := range d.Degradations {
			p.line("* %s: %s becomes %s", g.Event, g.Wanted, g.Became)
		}
		p.line("")
	}
	if len(d.Gaps) > 0 {
		p.line("Gaps:\n")
		for _, g := range d.Gaps {
			p.line("* %s", g)
		}
		p.line("")
	}
}
