package shellguard

import (
	"cmp"
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
)

// later judges data that goes to a new host after the session has read a secret,
// because it may contain the secret.
func (j *judge) later(n *model.Net) {
	if !n.Sends || n.Listens || local(n.Host) || j.at.Past == nil {
		return
	}
	read, err := j.at.Past.Recall(trammel.ReadSecret)
	switch {
	case err != nil:
		j.add("unknown_past", n.Host)
	case len(read.Items) > 0 && !j.knownHost(n.Host):
		first := read.Items[0]
		j.add("sends_after_secret", first.What+", read"+when(first)+", and now → "+cmp.Or(n.Host, "an unknown host"))
	}
}

// when returns the time of a past fact in words.
func when(r trammel.Remembered) string {
	if r.At.IsZero() {
		return ""
	}
	return " at " + r.At.Format("15:04")
}

// knownHost reports whether a host is related to the project: one of its remotes is
// there, or on the same site.
func (j *judge) knownHost(host string) bool {
	for dir := j.ground.Project; host != "" && dir != "" && dir != "/" && dir != "."; dir = path.Dir(dir) {
		data, err := j.at.ReadFile(path.Join(dir, ".git/config"), 1<<16)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			key, url, _ := strings.Cut(strings.TrimSpace(line), "=")
			if strings.TrimSpace(key) == "url" && strings.Contains(url, site(host)) {
				return true
			}
		}
		return false
	}
	return false
}

// site returns the common part of an owner's hosts: github.com for api.github.com.
func site(host string) string {
	labels := strings.Split(host, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}
