package words

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Opens reports whether a tool makes something public that exists, by its name and its
// arguments: update_repository {"visibility": "public"}.
func Opens(name string, input map[string]any) bool {
	said := Of(name)
	if slices.ContainsFunc(said, func(word string) bool {
		return slices.Contains([]string{"list", "get", "search", "create", "describe", "show", "find", "read", "query"}, word)
	}) {
		return false
	}
	return Publicly(said) || slices.ContainsFunc(said, changes) && opens(input, 0)
}

// Publicly reports whether words say that something is made public: make-public.
func Publicly(said []string) bool {
	at := slices.Index(said, "public")
	return at > 0 && slices.Contains([]string{"make", "set", "go", "share", "turn"}, said[at-1])
}

// changes reports whether a word says that something that exists is changed.
func changes(word string) bool {
	switch word {
	case "update", "set", "change", "edit", "make", "share", "patch", "put", "modify", "grant", "enable", "configure", "add",
		"allow", "open", "authorize", "permit":
		return true
	}
	return false
}

func opens(v any, depth int) bool {
	fields, _ := v.(map[string]any)
	for name, value := range fields {
		said := Of(name)
		about := slices.ContainsFunc(said, func(word string) bool {
			return slices.Contains([]string{"visibility", "access", "acl", "privacy", "sharing", "audience", "permission"}, word)
		})
		text, _ := value.(string)
		switch {
		case everybody(strings.ToLower(text)), about && strings.EqualFold(text, "public"):
			return true
		case value == false && slices.Contains(said, "private"), value == true && slices.Contains(said, "public"):
			return true
		case depth < MaxDeep && opens(value, depth+1):
			return true
		}
	}
	return false
}

// everybody reports whether a value of an argument stands for all people.
func everybody(text string) bool {
	return slices.Contains([]string{"anyone", "everyone", "allusers", "allauthenticatedusers", "public-read", "public-read-write",
		"anyonewithlink", "anyone_with_link", "anonymous", "0.0.0.0/0", "::/0"}, text)
}

// Serves reports whether an unknown program lets others read files, by its name, its words
// or its options: pubshare start, x --port 8080.
func Serves(program string, args []model.Word) bool {
	for _, part := range [...]string{"serve", "share", "expos", "http", "ftp", "webdav", "tunnel", "publish"} {
		if strings.Contains(program, part) {
			return true
		}
	}
	return slices.ContainsFunc(args[:min(len(args), maxRead)], func(w model.Word) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
		switch name {
		case "serve", "share", "expose", "publish", "http":
			return true
		case "port", "bind", "listen", "public":
			return w.Text[0] == '-'
		}
		return false
	})
}
