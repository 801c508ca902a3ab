package strength

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/plan"
)

// narrowed is the match of a hook that only one of its values can satisfy, for certain.
// Of a value that excludes something it is the match without the value.
func narrowed(h *hook, v config.Value) plan.Match {
	m := h.plan.Match
	m.Doubt = false
	if excludes(v) {
		return filtered(m, v.Key, func(s string) bool { return !slices.Contains(v.Means, s) })
	}
	return filtered(m, v.Key, func(s string) bool { return slices.Contains(v.Means, s) || strings.HasPrefix(s, "!") })
}

// filtered is a match with some values of a key.
func filtered(m plan.Match, key string, keep func(value string) bool) plan.Match {
	if key == "action" {
		m.Actions = slices.DeleteFunc(slices.Clone(m.Actions), func(a trammel.ActionKind) bool { return !keep(a.String()) })
		return m
	}
	list := listOf(&m, key)
	var values []string
	var like []trammel.ActionKind
	for i, value := range *list {
		if keep(value) {
			values = append(values, value)
			if key == "tool" && m.Like != nil {
				like = append(like, m.Like[i])
			}
		}
	}
	if *list = values; key == "tool" {
		m.Like = like
	}
	return m
}

// listOf is where a match has the values of a key.
func listOf(m *plan.Match, key string) *[]string {
	switch key {
	case "tool":
		return &m.Tools
	case "program":
		return &m.Programs
	case "path":
		return &m.Paths
	case "to":
		return &m.To
	case "project":
		return &m.Projects
	case "host":
		return &m.Hosts
	}
	return &m.Agents
}

// widened is a glob that matches more; ok is false if the text is no glob.
func widened(v config.Value) (wider string, ok bool) {
	if excludes(v) || len(v.Means) != 1 || !strings.ContainsAny(v.Text, "*?[{") {
		return "", false
	}
	if _, expression := trammel.Expression(v.Text); expression && v.Key == "tool" {
		return "", false
	}
	wider = "*"
	if v.Key == "path" || v.Key == "project" {
		dir, last := path.Split(v.Text)
		dir = strings.TrimSuffix(strings.TrimSuffix(dir, "/"), "/**")
		if wider = dir + "/**"; dir == "" || dir == "**" || strings.Trim(last, "*") == "" {
			wider = "**"
		}
	}
	return wider, wider != v.Text
}
