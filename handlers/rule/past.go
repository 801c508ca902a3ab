package rule

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/expression"
)

// sortOf is the kind of past facts that a word of the vocabulary is about, ""
// for other words.
func sortOf(name string) trammel.PastSort {
	switch name {
	case "session.wrote", "session.#wrote":
		return trammel.WroteFile
	case "session.fetched", "session.#fetched":
		return trammel.FetchedFile
	case "session.read_secret":
		return trammel.ReadSecret
	case "session.tainted_by":
		return trammel.ForeignText
	case "session.remotes":
		return trammel.AddedRemote
	case "session.packages":
		return trammel.AddedPackage
	}
	return ""
}

// Remembers are the kinds of past facts about a session that the rule needs.
func (c *Config) Remembers() []trammel.PastSort {
	var out []trammel.PastSort
	see := func(n *expression.Node) {
		if n.Op != expression.Name && n.Op != expression.Ask {
			return
		}
		if n.Text == "session" { // any of its words may follow
			out = append(out, trammel.WroteFile, trammel.FetchedFile, trammel.ReadSecret, trammel.ForeignText, trammel.AddedRemote,
				trammel.AddedPackage)
		} else if sort := sortOf(n.Text); sort != "" {
			out = append(out, sort)
		}
	}
	for _, code := range c.Code {
		if strings.Contains(code, "session") {
			if node, err := expression.Parse(code); err == nil {
				node.Visit(see)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// recall is what the session has done before, of one kind. It is unsure if that
// is unknown.
func (s *scope) recall(sort trammel.PastSort) (items []trammel.Remembered, unsure bool) {
	if s.ev.Past == nil {
		return nil, false
	}
	all, err := s.ev.Past.Recall(sort)
	return all.Items, err != nil || all.Forgot
}

// pastValue is the value of a word about what the session has done before. If
// it is unknown, it counts as any possible value.
func (s *scope) pastValue(name string) (any, bool) {
	sort := sortOf(name)
	if sort == "" {
		return nil, false
	}
	items, unsure := s.recall(sort)
	if sort == trammel.ReadSecret {
		return len(items) > 0 || s.loose && unsure, true
	}
	list := make([]string, 0, len(items)+1)
	for _, r := range items {
		list = append(list, r.What)
	}
	if s.loose && unsure && len(list) == 0 {
		list = append(list, "unknown")
	}
	return list, true
}

// earlier finds a file that one of the globs matches and to which an earlier call
// has done something.
func (s *scope) earlier(name string, globs []string) (h match.Hit, holds bool) {
	items, unsure := s.recall(sortOf(name))
	in := match.In(world.Of(s.ev), s.ev.Session.Project)
	for _, r := range items {
		what := strings.TrimSuffix(r.What, "/")
		if len(globs) == 0 || in.Match(globs, what) {
			return match.Hit{Run: -1, Path: what, Text: told(sortOf(name), r)}, true
		}
	}
	if s.loose && unsure && !strings.Contains(name, "#") {
		return match.Hit{Run: -1, Doubt: "what the session did before"}, true
	}
	return h, false
}

// told describes a past fact and its time, for explain.
func told(sort trammel.PastSort, r trammel.Remembered) string {
	verb := map[trammel.PastSort]string{trammel.WroteFile: "wrote", trammel.FetchedFile: "fetched", trammel.ReadSecret: "read",
		trammel.ForeignText: "read text from", trammel.AddedRemote: "added the remote", trammel.AddedPackage: "installed"}[sort]
	return "the session " + verb + " " + r.What + " at " + r.At.Format("2006-01-02 15:04:05") + by(r.By)
}

// remembered describes the past facts that made the conditions true, for explain.
func (e *evaluation) remembered() (out []string) {
	see := func(n *expression.Node) {
		if sort := sortOf(n.Text); sort != "" {
			if items, _ := e.scope.recall(sort); len(items) > 0 {
				out = append(out, told(sort, items[0]))
			}
		}
	}
	for source, load := range map[string]func() (*condition, error){e.config.When: e.when, e.config.After: e.after} {
		if c, err := load(); source != "" && err == nil {
			c.node.Visit(see)
		}
	}
	return out
}
