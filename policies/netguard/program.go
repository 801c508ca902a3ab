package netguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// service judges a host that a program contacts by itself: the registry of a
// package manager, a cloud. If only settings say which host that is, it counts
// only if hosts are denied by default.
func (j *judgement) service(n *model.Net) {
	r := &j.set.Runs[n.Run]
	registry, _ := programs.Fetches(r)
	switch {
	case n.Host == registry && registry != "" && j.PackageManagers == "allow":
	case n.Host != "":
		j.address(n.Host)
	case len(j.allow) > 0 || slices.ContainsFunc(j.deny, func(e entry) bool { return e.anyone }):
		j.unknown(r.Program)
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

// urls judges every argument that is a URL, whatever the program: it will
// probably contact it. An argument that is a message may contain one.
func (j *judgement) urls(r *effects.Run) {
	if len(j.allow)+len(j.deny) == 0 || r.Data {
		return
	}
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
