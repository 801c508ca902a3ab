package secrets

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/internal/secret"
)

// place is where a secret was found: the code of the finding, the mode from the
// options, and a name for it.
type place struct {
	code   string
	mode   string
	target string // a path, a host, the name of a tool
	says   string // "The command would send", to be followed by what was found
	advice string
}

const (
	useVariable = "Refer to it by name instead: let the program read a variable of the environment or its own configuration file, and do " +
		"not " +
		"copy the value."
	useBlank = "Write a placeholder such as <your-api-key> instead, and let a person fill it in or read the value from the environment."
)

// placeOf says where the arguments of a call would go. If a call does several
// things, the one that spreads a secret farthest counts.
func (g *guard) placeOf(ev *trammel.Event) place {
	a := &ev.Tool.Action
	set := effects.Of(ev)
	if net := firstNet(set); net != nil {
		return place{"secret_to_network", g.Network, named(net.Host, "an unknown host"), "This call would send", useVariable}
	}
	if a.Is(trammel.FetchAction) || a.URL != "" || a.Kind == trammel.MCPAction {
		return place{"secret_to_network", g.Network, named(a.Server, ev.Tool.Name), "This call would send", useVariable}
	}
	if path, writes := g.written(ev, set); writes {
		if path == "" {
			return place{mode: "off"}
		}
		return place{"secret_to_file", g.File, path, "This call would write", useBlank}
	}
	if a.Command != "" {
		return place{"secret_in_command", g.Command, ev.Tool.Name, "This command holds", useVariable}
	}
	return place{"secret_in_input", g.Input, ev.Tool.Name, "The arguments of this call hold", useVariable}
}

// stays reports whether only harmless passwords were found: those in test files,
// those sent to a server on this machine, and those given to a container here.
func stays(ev *trammel.Event, p *place, found []secret.Secret) bool {
	for _, s := range found {
		if s.Kind != "password" || len(s.Value) > maxInvented {
			return false
		}
	}
	set := effects.Of(ev)
	switch {
	case p.code == "secret_in_command" && set.Full() && forContainer(set, found):
		return true
	case p.code == "secret_in_command":
		web := func(n model.Net) bool {
			bare := n.Run >= 0 && set.Runs[n.Run].Program == "curl" && !strings.Contains(n.URL, "://") // localhost:3000
			return (strings.HasPrefix(n.URL, "http") || bare) && hostname.Local(n.Host)
		}
		return len(set.Nets) > 0 && set.Full() && !slices.ContainsFunc(set.Nets, func(n model.Net) bool { return !web(n) })
	case p.code == "secret_to_network":
		other := func(n model.Net) bool { return !hostname.Local(n.Host) && !fetchesImage(set, &n) }
		return len(set.Nets) > 0 && set.Full() && !slices.ContainsFunc(set.Nets, other)
	case p.code != "secret_to_file" || ev.Tool.Action.Command != "":
		return false
	}
	for i := range set.Files {
		if f := &set.Files[i]; f.Op != effects.Read && !ofTests(cmp.Or(f.Path.Real, f.Path.Abs), ev.Session.Project) {
			return false
		}
	}
	return len(set.Files) > 0
}

// forContainer reports whether all secrets are variables of containers that are
// started on this machine.
func forContainer(set *effects.Set, found []secret.Secret) bool {
	for i := range set.Runs {
		r := &set.Runs[i]
		for _, a := range r.Args {
			name, value, _ := strings.Cut(a.Text, "=")
			holds := func(s secret.Secret) bool { return strings.Contains(a.Text, s.Value) }
			exact := func(s secret.Secret) bool { return value == s.Value }
			if slices.ContainsFunc(found, holds) && !(starts(r) && slices.ContainsFunc(found, exact) &&
				strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "") {
				return false
			}
		}
	}
	return slices.ContainsFunc(set.Runs, func(r effects.Run) bool { return starts(&r) })
}

// starts reports whether a run starts a container on this machine, or gets its
// image. A variable may name another machine.
func starts(r *effects.Run) bool {
	switch r.Program {
	case "docker", "podman", "nerdctl":
		return len(r.Env) == 0 && len(r.Args) > 0 && (r.Args[0].Text == "run" || r.Args[0].Text == "create" || r.Args[0].Text == "pull")
	}
	return false
}

// fetchesImage reports whether a host only gives the image of a container that is
// started, and gets nothing of its arguments.
func fetchesImage(set *effects.Set, n *model.Net) bool {
	return n.Run >= 0 && !n.Sends && starts(&set.Runs[n.Run])
}

// maxInvented is the maximum length of a made-up password for a test.
const maxInvented = 24

// ofTests reports whether a file is one of the project's tests, by its name.
func ofTests(file, project string) bool {
	rest, inside := strings.CutPrefix(file, project+"/")
	if !inside || project == "" {
		return false
	}
	dir, name := path.Split(rest)
	for part := range strings.SplitSeq(dir, "/") {
		switch part {
		case "test", "tests", "testdata", "__tests__", "spec", "specs", "fixtures", "e2e", "cypress":
			return true
		}
	}
	return strings.HasPrefix(name, "test_") || strings.Contains(name, "_test.") || strings.Contains(name, ".test.") ||
		strings.Contains(name, ".spec.") || strings.Contains(name, "_spec.")
}

func firstNet(set *effects.Set) *model.Net {
	for i := range set.Nets {
		if n := &set.Nets[i]; !n.Listens && !hostname.Local(n.Host) { // this machine does not count
			return n
		}
	}
	return nil
}

// written reports whether files are written, and returns the first that must not
// contain secrets, "" if there is none.
func (g *guard) written(ev *trammel.Event, set *effects.Set) (path string, writes bool) {
	for i := range set.Files {
		f := &set.Files[i]
		if f.Op != effects.Write || f.Device {
			continue
		}
		writes = true
		if !g.allowed(ev, &f.Path) {
			return named(f.Path.Abs, f.Path.Text), true
		}
	}
	a := &ev.Tool.Action
	mayWrite := a.Is(trammel.WriteAction) || a.Is(trammel.EditAction) || a.Kind == trammel.OtherAction && len(a.Paths) > 0
	if !writes && mayWrite { // a tool whose file is unknown, or an unknown tool
		return ev.Tool.Name, true
	}
	if writes && a.Command != "" && !set.Full() { // it may do more that is unknown
		return ev.Tool.Name, true
	}
	return "", writes
}

// readsAllowed reports whether a tool has read only files that may contain secrets.
// The output of a command can come from anywhere.
func (g *guard) readsAllowed(ev *trammel.Event) bool {
	if len(g.Allow.Paths) == 0 || !ev.Tool.Action.Is(trammel.ReadAction) || ev.Tool.Action.Command != "" {
		return false
	}
	set := effects.Of(ev)
	for i := range set.Files {
		if !g.allowed(ev, &set.Files[i].Path) {
			return false
		}
	}
	return len(set.Files) > 0
}

func named(name, otherwise string) string {
	return cmp.Or(name, otherwise)
}
