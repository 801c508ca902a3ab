package install

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/trammel-dev/trammel/internal/loopback"
)

// aside is the prefix for the name of a member that conflicts with the proxy.
// Clients ignore unknown names; removing the prefix restores them.
const aside = "x-trammel-"

// remote is an entry with an address (MCP-72). It becomes a command that starts
// the proxy, with the address in the arguments and the headers in environment
// variables: other users can read arguments.
type remote struct {
	open    int // just after the bracket of the entry
	address string
	headers []string
	typed   bool  // it says what type it is
	names   []int // where the names of renamed members begin, after their quotes
	added   span  // what was added, if it was
	broken  bool  // it is not understood
}

// jsonRemote reads an entry with an address. why says why the proxy cannot be put
// in front of it.
func jsonRemote(o *hujson.Object, open int) (r *remote, why string) {
	r = &remote{open: open}
	for i := range o.Members {
		m := &o.Members[i]
		name := nameOf(m)
		at := m.Name.StartOffset + 1
		switch {
		case slices.Contains([]string{"httpUrl", "url", "serverUrl"}, name):
			text, ok := m.Value.Value.(hujson.Literal)
			if !ok || text.Kind() != '"' || r.address != "" {
				return nil, "its address is not a string"
			}
			r.address = text.String()
			r.names = append(r.names, at)
		case name == "type":
			r.typed = true
			r.names = append(r.names, at)
		case name == "headers":
			r.names = append(r.names, at)
			if r.headers = headersOf(&m.Value); r.headers == nil {
				return nil, "its headers are not all strings"
			}
		case slices.Contains([]string{"oauth", "auth", "authProviderType", "oauth_scopes", "env", "environment"}, name):
			return nil, signsIn
		}
	}
	if r.address == "" {
		return nil, notCommands
	}
	return r, r.unsuitable()
}

// unsuitable says why an address is left to the client.
func (r *remote) unsuitable() string {
	u, _ := url.Parse(r.address)
	switch {
	case !r.usable():
		return "the proxy does not support its address"
	case len(r.headers) == 0 && !loopback.Is(u.Hostname()):
		return "the client may have to sign in there, which it cannot do through the proxy; if that is not needed, replace it by the proxy " +
			"with --url"
	}
	return ""
}

func (r *remote) usable() bool {
	u, err := url.Parse(r.address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil
}

// headersOf are headers as "Name: value", nil if they are something else.
func headersOf(v *hujson.Value) []string {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	out := []string{}
	for i := range o.Members {
		text, ok := o.Members[i].Value.Value.(hujson.Literal)
		if !ok || text.Kind() != '"' {
			return nil
		}
		out = append(out, nameOf(&o.Members[i])+": "+text.String())
	}
	return out
}

// wrap turns the entry into a command.
func (r *remote) wrap(e *edits, program string, words []string) {
	text := `"command": ` + quoted(program) + `, "args": [` + quoted(append(words, "--url", r.address)...) + `], `
	if len(r.headers) > 0 {
		text += `"env": {` + strings.Join(r.variables(": "), ", ") + `}, `
	}
	if r.typed {
		text += `"type": "stdio", `
	}
	e.insert(r.open, text)
	for _, at := range r.names {
		e.insert(at, aside)
	}
}

// variables are the headers as variables of the proxy, each with its value.
func (r *remote) variables(is string) (out []string) {
	for i, h := range r.headers {
		out = append(out, quoted(fmt.Sprintf("TRAMMEL_MCP_HEADER_%d", i+1))+is+quoted(h))
	}
	return out
}

// unwrapped reads an entry that wrap has turned into a command, nil if it is
// something else.
func unwrapped(v *hujson.Value) *remote {
	o := v.Value.(*hujson.Object)
	r := &remote{}
	ours := []string{"command", "args"}
	for i := range o.Members {
		if plain, ok := strings.CutPrefix(nameOf(&o.Members[i]), aside); ok {
			r.names = append(r.names, o.Members[i].Name.StartOffset+1)
			switch plain {
			case "type":
				ours = append(ours, "type")
			case "headers":
				ours = append(ours, "env")
			}
		}
	}
	if len(r.names) == 0 {
		return nil
	}
	c := containerOf(v)
	for i := range o.Members {
		if !slices.Contains(ours, nameOf(&o.Members[i])) {
			break
		}
		r.added = span{from: c.slots[0].start, to: c.slots[i].end + len(c.slots[i].after) + 1} // with its comma
		if i+1 < len(c.slots) && strings.HasPrefix(string(c.slots[i+1].before), " ") {
			r.added.to++
		}
	}
	return r
}

// unwrap restores the entry.
func (r *remote) unwrap(e *edits) {
	e.cut(r.added.from, r.added.to)
	for _, at := range r.names {
		e.cut(at, at+len(aside))
	}
}
