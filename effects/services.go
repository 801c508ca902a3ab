package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Hosts are the Nets of a call, and the services that its programs talk to by
// themselves, as npm talks to its registry and kubectl to its cluster. Those are
// not the call's choice: a program that is given a host is listed with that alone.
func Hosts(s *Set) []model.Net {
	out := slices.Clip(s.Nets)
	for i := range s.Runs {
		r := &s.Runs[i]
		if r.Data || slices.ContainsFunc(s.Nets, func(n model.Net) bool { return n.Run == i }) {
			continue
		}
		if host, ok := service(r); ok {
			out = append(out, model.Net{Host: host, Run: i, Own: true})
		}
	}
	return out
}

// service is the host that a program talks to by itself, "" where settings say which.
func service(r *model.Run) (host string, ok bool) {
	a := programs.Parse(r)
	if host, ok = programs.Fetches(r); a.Help() || ok && strings.Contains(host, ".") {
		return host, ok && !a.Help()
	}
	switch a.Word(0) {
	case "", "help", "version", "config", "configure", "completion", "fmt", "validate", "lint", "template", "alias":
		return "", false // it looks at what is here
	}
	area, class := programs.ClassOf(r)
	if g, git := programs.ReadGit(r); git {
		return "", g.Sub == "lfs" || g.Sub == "remote" && a.Word(1) == "update" // modules are among the Nets
	} else if area == "container" {
		return host, slices.Contains(pulling, a.Word(0))
	}
	host = programs.Home(r.Program)
	return strings.Trim(host, "*"), host != "" || class == programs.Publish || slices.Contains(remote, area)
}

// pulling are the words with which a container's image may be fetched.
var pulling = []string{"run", "create", "build", "buildx", "compose", "login", "search", "image", "pull", "push"}

// remote are the areas that are not on this machine.
var remote = []string{"cloud", "cluster", "infrastructure"}
