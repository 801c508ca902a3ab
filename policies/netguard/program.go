package netguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// run looks at what the effects of a program do not list: URLs among arguments
// that may be something else, and the registries of package managers.
func (j *judgement) run(r *effects.Run) {
	if len(j.allow)+len(j.deny) == 0 || r.Data {
		return
	}
	j.urls(r)
	if registry, talks := programs.Fetches(r); talks && j.PackageManagers == "check" {
		j.address(registry)
	}
}

// address judges a host that may have a scheme, a user, a port and a path.
func (j *judgement) address(text string) {
	if !strings.Contains(text, "://") {
		text = "x://" + text
	}
	for _, h := range hostsOfURL(text) {
		if h.name != "" {
			j.host(&h)
		}
	}
}

// urls judges every argument that is a URL, whatever the program is: what else
// would it do with it. A message may be one.
func (j *judgement) urls(r *effects.Run) {
	for i, w := range r.Args {
		text := w.Text
		if strings.HasPrefix(text, "-") {
			_, text, _ = strings.Cut(text, "=")
		}
		if i > 0 && (r.Args[i-1].Text == "-m" || r.Args[i-1].Text == "--message" || r.Args[i-1].Text == "--body" ||
			r.Args[i-1].Text == "--title") {
			continue
		}
		scheme, _, ok := strings.Cut(text, "://")
		if ok && scheme != "" && scheme != "file" && strings.Trim(scheme,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") == "" && !strings.ContainsAny(text, " \n") {
			j.address(text)
		}
	}
}
