package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

func isShell(program string) bool {
	row, _ := programs.Lookup(program)
	return row.Runs() == "shell" || row.Runs() == "windows"
}

func netcat(program string) bool {
	return slices.Contains([]string{"nc", "ncat", "netcat", "socat", "telnet", "nc.traditional", "nc.openbsd", "openssl", "rlwrap",
		"cryptcat"}, program)
}

// interactive reports whether a shell gets its commands from its input.
func interactive(r *effects.Run) bool {
	for _, a := range r.Args {
		if !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+") || strings.HasPrefix(a.Text, "-c") ||
			strings.HasSuffix(a.Text, "c") && !strings.HasPrefix(a.Text, "--") {
			return false
		}
	}
	return r.Input == nil
}

// reverseShells finds shells that are connected to the network: started by a
// program with a connection, or next to one in the pipe.
func (j *judge) reverseShells() {
	connected := make(map[int]bool, len(j.set.Nets)) // runs with a connection, and those that feed one
	cat := false
	for i := range j.set.Nets {
		run := j.set.Nets[i].Run
		if run < 0 {
			continue
		}
		switch r := &j.set.Runs[run]; {
		case netcat(r.Program):
			connected[run], cat = true, true
			if r.From >= 0 {
				connected[r.From] = true
			}
		case r.Program != "ssh" && r.Program != "docker" && r.Program != "kubectl":
			connected[run] = true
		}
	}
	if len(connected) == 0 {
		return
	}
	answers := j.answers(connected)
	for i := range j.set.Runs {
		r := &j.set.Runs[i]
		if !isShell(r.Program) || r.Remote || !interactive(r) {
			continue
		}
		if answers[i] || answers[r.From] {
			j.add("reverse_shell", j.line(i))
			continue
		}
		if connected[r.By] || connected[i] || r.From >= 0 && (connected[r.From] && netcat(j.set.Runs[r.From].Program) || cat && prompts(r)) {
			j.add("reverse_shell", j.line(i))
		}
	}
}

// answers returns the runs that read a file, usually a named pipe, into which a
// connection writes: sh < p | nc host 1 > p, cat p | sh | nc host 1 > p.
func (j *judge) answers(connected map[int]bool) map[int]bool {
	written := map[string]bool{}
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Op == effects.Write && connected[f.Run] && netcat(j.set.Runs[f.Run].Program) && f.Path.Known() {
			written[f.Path.Abs] = true
		}
	}
	out := map[int]bool{}
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Op == effects.Read && f.Run >= 0 && written[f.Path.Abs] {
			out[f.Run] = true
		}
	}
	return out
}

// prompts reports whether a shell is started as interactive.
func prompts(r *effects.Run) bool {
	for _, a := range r.Args {
		if a.Text == "-i" || a.Text == "-il" || a.Text == "-li" {
			return true
		}
	}
	return false
}

// shellSocket judges a connection that the shell itself opens. Checking whether a
// port is open is ordinary; reading commands from it is not.
func (j *judge) shellSocket(n *model.Net) {
	r := &j.set.Runs[n.Run]
	if interactive(r) || n.Listens {
		j.add("reverse_shell", j.line(n.Run)+" "+n.Host)
		return
	}
	j.add("raw_socket", n.Host)
}
