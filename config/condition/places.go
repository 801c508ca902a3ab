package condition

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/hostname"
)

// roots are directories that begin absolute paths, here or on other machines.
const roots = "Applications Library System Users Volumes app apps bin boot builds cdrom code config data dev efs etc home lib " +
	"lib64 media mnt net nix opt private proc project projects repo root run sbin snap srv storage sys tmp usr var " +
	"work workdir workspace workspaces"

// MistakenPath finds a path that is not what its author means: one from the root of the
// file system instead of the project's, or several in one.
func MistakenPath(glob string) (found []Mistake) {
	glob = strings.TrimPrefix(glob, "!")
	if list := several(glob); list != "" {
		return []Mistake{{Code: "misplaced-path", Fix: "write " + list,
			Text: fmt.Sprintf("%q is one path with blanks or commas in it", glob)}}
	}
	rest, ok := strings.CutPrefix(glob, "/")
	first, _, _ := strings.Cut(rest, "/")
	pattern := strings.ContainsAny(first, "*?[{") && !strings.HasPrefix(first, ".")
	if !ok || first == "" || pattern || slices.Contains(strings.Fields(roots), first) {
		return nil
	}
	if _, err := os.Stat("/" + first); err == nil {
		return nil
	}
	return []Mistake{{Code: "misplaced-path", Fix: "write " + rest,
		Text: fmt.Sprintf("%q begins at the root of the file system, where there is no %s; leave the / out for the project", glob, first)}}
}

// several is a text with several paths as a list, "" if it may be one.
func several(glob string) string {
	parts := strings.FieldsFunc(glob, func(r rune) bool { return r == ' ' || r == ',' })
	comma := strings.Contains(glob, ", ") || strings.HasSuffix(glob, ",")
	if strings.ContainsAny(glob, "{[") || len(parts) == 0 || len(parts) == 1 && !comma {
		return ""
	}
	if !comma && slices.ContainsFunc(parts, func(part string) bool { return !strings.ContainsAny(part, "./*~") }) {
		return "" // a name with a blank: my notes.txt
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// MistakenProject finds a path of a project that begins nowhere.
func MistakenProject(glob string) []Mistake {
	name := strings.TrimPrefix(glob, "!")
	if !strings.Contains(name, "/") || strings.ContainsAny(name[:1], "/~*{[") || len(name) > 1 && name[1] == ':' {
		return nil
	}
	return []Mistake{{Code: "never-matches", Fix: "write **/" + name,
		Text: fmt.Sprintf("the path of a project begins with / or ~/ or **/, and %q does not", glob)}}
}

// MistakenHost finds names that no host can have.
func MistakenHost(host string) []Mistake {
	_, below := hostname.ParseAddress(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(host, "!"), "*"), "."))
	switch {
	case strings.Contains(host, ".."):
		return []Mistake{{Code: "never-matches", Text: fmt.Sprintf("no host is called %q", host)}}
	case below && strings.Contains(host, "*."):
		return []Mistake{{Code: "never-matches", Fix: "for several addresses, write a network: 10.0.0.0/8",
			Text: fmt.Sprintf("no host is called %q: an address has no names below it", host)}}
	}
	return nil
}
