package console

import (
	"net/url"
	"strings"
)

// place is a page of the navigation; Key is the one that goes there after g.
type place struct{ Name, Title, Path, Key string }

var places = []place{
	{"inbox", "Inbox", "/inbox", "i"}, {"live", "Live", "/live", "l"}, {"sessions", "Sessions", "/sessions", "s"},
	{"hooks", "Hooks", "/hooks", "h"}, {"evidence", "Evidence", "/evidence", "e"}, {"hosts", "Hosts", "/hosts", "o"},
	{"policies", "Policies", "/policies", "p"}, {"grants", "Grants", "/grants", ""},
}

// filterBox is the box of a filter: what is in it, what else the address has,
// and what is wrong with it.
type filterBox struct {
	Query, Example, Wrong string
	Keep                  map[string]string
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
