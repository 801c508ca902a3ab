package console

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/server/auth"
)

// place is a page of the navigation; Key is the one that goes there after g.
type place struct{ Name, Title, Path, Key string }

var places = []place{
	{"inbox", "Inbox", "/inbox", "i"}, {"live", "Live", "/live", "l"}, {"sessions", "Sessions", "/sessions", "s"},
	{"hooks", "Hooks", "/hooks", "h"}, {"evidence", "Evidence", "/evidence", "e"}, {"hosts", "Hosts", "/hosts", "o"},
	{"policies", "Policies", "/policies", "p"}, {"grants", "Grants", "/grants", ""},
}

// shortcut is a key and what it does. People can choose other keys.
type shortcut struct{ Key, Does string }

var shortcuts = []shortcut{{"?", "this help"}, {"/", "filter"}, {"j", "next row"}, {"k", "previous row"},
	{".", "next request that you can decide"}, {"[", "older"}, {"]", "newer"}, {"n", "show what is new"}, {"c", "copy the link"},
	{"g", "then i, l, s, h, e, o, p: inbox, live, sessions, hooks, evidence, hosts, policies"},
	{"a", "approve: arm"}, {"y", "approve: confirm, within 4 seconds"}, {"d", "deny, with a reason"}, {"e", "edit"}, {"s", "grant"},
	{"N", "next denied, in a session"}, {"P", "next question, in a session"}}

// filterBox is the box of a filter: what is in it, what else the address has,
// what is wrong with it, and which ones the person has saved for the page.
type filterBox struct {
	Page, Query, Example, Wrong string
	Keep                        map[string]string
	Saved                       []string
	CSRF                        string
}

// IsSaved reports whether the filter in the box is one of those.
func (b filterBox) IsSaved() bool { return slices.Contains(b.Saved, b.Query) }

func (c *console) newBox(r *http.Request, page, example string) filterBox {
	p := auth.From(r.Context())
	return filterBox{Page: page, Query: r.URL.Query().Get("q"), Example: example, Saved: c.saved(r.Context(), p, page), CSRF: p.CSRF}
}

// links are what a view offers beside itself.
type links struct {
	Command, JSON, Export, Why string
}

// share says how to get at the same things in other ways.
func share(v *view) links {
	q := ""
	if v.Query != "" {
		q = "?q=" + url.QueryEscape(v.Query)
	}
	switch v.Tab {
	case "inbox":
		if strings.HasPrefix(v.Path, "/approvals/") {
			id, _, _ := strings.Cut(strings.TrimPrefix(v.Path, "/approvals/"), "?")
			return links{Command: "trammel approvals show " + id, JSON: "/v1/approvals/" + id}
		}
		if strings.HasPrefix(v.Path, "/denied") {
			return links{Command: "trammel allow --list"}
		}
		return links{Command: command("trammel approvals list", v.Query), JSON: "/v1/approvals" + q}
	case "grants":
		return links{Command: "trammel approvals grants", JSON: "/v1/grants"}
	case "hooks":
		return links{Command: "trammel list --effective", JSON: "/v1/hooks"}
	case "hosts":
		return links{Command: "trammel doctor", JSON: "/v1/hosts"}
	case "policies":
		return links{Command: "trammel evidence report --trial"}
	case "live", "evidence":
		l := links{Command: command("trammel evidence list", v.Query), JSON: "/v1/evidence" + q, Export: "/evidence" + q}
		l.Why = mayExport(v.Person)
		return l
	case "sessions":
		return links{Command: command("trammel evidence list", v.Query)}
	}
	return links{}
}

// command is a command line with a filter as one argument.
func command(program, query string) string {
	if query == "" {
		return program
	}
	return program + " '" + strings.ReplaceAll(query, "'", `'\''`) + "'"
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
