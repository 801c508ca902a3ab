package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Hosts returns the Nets of a call, and the services that its programs contact by
// themselves, as npm contacts its registry and kubectl its cluster. A program that
// is given a host is listed only with that host.
func Hosts(s *Set) []model.Net {
	out := slices.Clip(s.Nets)
	for i := range s.Runs {
		r := &s.Runs[i]
		if r.Data || slices.ContainsFunc(s.Nets, func(n model.Net) bool { return n.Run == i && !n.Own }) {
			continue
		}
		if host, ok := service(r); ok {
			out = append(out, model.Net{Host: host, Run: i, Own: true})
		}
	}
	return out
}

// service returns the host that a program contacts by itself, "" if settings determine it.
func service(r *model.Run) (host string, ok bool) {
	a := programs.Parse(r)
	if host, ok = programs.Fetches(r); a.Help() || ok && strings.Contains(host, ".") {
		return host, ok && !a.Help()
	}
	switch a.Word(0) {
	case "", "help", "version", "config", "configure", "completion", "fmt", "validate", "lint", "template", "alias":
		return "", false // works only locally
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

// pulling lists the subcommands that may fetch a container image.
var pulling = []string{"run", "create", "build", "buildx", "compose", "login", "search", "image", "pull", "push"}

// remote lists the areas that are not on this machine.
var remote = []string{"cloud", "cluster", "infrastructure"}
