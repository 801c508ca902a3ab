package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
)

// wiredArgs are the arguments that mark an entry as ours.
var wiredArgs = []string{"mcp", "proxy", "--wired", "--name"}

// PlanServers plans to put the proxy in front of the MCP servers in a host's
// configuration (MCP-70), and changes nothing; Apply does it. program is the
// absolute path of trammel. Entries keep their keys; servers that are not wired
// are in the notes. Like the wiring of hooks, that of a user names the
// directories: an agent may start servers without its own environment. That of
// a project is the same on every machine: the program is found by its name.
func PlanServers(env Env, host string, opts Options, program string) (*Change, error) {
	if !filepath.IsAbs(program) {
		return nil, fmt.Errorf("the program is %q, expected an absolute path", program)
	}
	var dirs []string
	if opts.Scope == Project {
		program = "trammel"
	} else {
		dirs = []string{layers.UserFlag, opts.UserConfig, layers.StateFlag, env.State}
	}
	c, err := planServers(env, host, opts, func(c *Change, f *serverFile, src []byte) ([]byte, error) {
		return f.edit(src, func(e *edits, s *server) {
			before := len(*e)
			c.notWired(f.path, s.name, s.wrap(e, program, dirs))
			if len(*e) > before {
				f.wrapped = append(f.wrapped, s.name)
			}
		})
	})
	if h, _ := Find(host); err == nil && opts.Scope == User {
		for _, s := range foreignServers(env, h) {
			c.notWired(s.Path, s.Name, s.Whose)
		}
	}
	return c, err
}

// notWired notes why the proxy is not put in front of a server, if it is not.
func (c *Change) notWired(path, server, why string) {
	if why != "" {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: the server %q is not wired: %s", path, server, why))
	}
}

// PlanServersUninstall plans to remove the proxy: byte for byte if the file is
// unchanged, else entry by entry (MCP-73).
func PlanServersUninstall(env Env, host string, opts Options) (*Change, error) {
	c, err := planServers(env, host, opts, func(c *Change, f *serverFile, src []byte) ([]byte, error) {
		rec, err := c.state.read()
		if err != nil {
			return nil, err
		}
		if kept := rec.file(f.path); kept != nil && kept.Written == digest(src) {
			return c.state.original(kept)
		}
		return f.edit(src, func(e *edits, s *server) { s.unwrap(e) })
	})
	if err == nil {
		c.record = nil
	}
	return c, err
}

// serverFile is a file that names servers, with the paths of keys to them.
type serverFile struct {
	path    string
	keys    []string
	toml    bool
	strict  bool     // the client refuses unknown names
	wrapped []string // the servers that get the proxy
}

// serverFiles are the files of a host in a scope, each once.
func serverFiles(env Env, h *dialects.Host, opts Options) []*serverFile {
	var out []*serverFile
	for _, at := range h.Servers {
		base, named := env.dir(h)
		if at.Home && !named {
			base = env.Home
		}
		rel := at.User
		if opts.Scope == Project {
			base, rel = opts.Project, at.Project
		}
		if rel == "" || base == "" {
			continue
		}
		path := filepath.Join(base, filepath.FromSlash(rel))
		if i := slices.IndexFunc(out, func(f *serverFile) bool { return f.path == path }); i >= 0 {
			out[i].keys = append(out[i].keys, at.Key)
			continue
		}
		out = append(out, &serverFile{path: path, keys: []string{at.Key}, toml: at.TOML, strict: at.Strict})
	}
	return out
}

func planServers(env Env, host string, opts Options, change func(*Change, *serverFile, []byte) ([]byte, error)) (*Change, error) {
	h, err := Find(host)
	if err != nil {
		return nil, err
	}
	c := &Change{Host: host, state: serversStore(env, host, opts)}
	old, err := c.state.read()
	if err != nil {
		return nil, err
	}
	c.record = &record{Host: host, Scope: opts.Scope, Project: opts.Project, Hook: opts.Hook}
	for _, f := range serverFiles(env, h, opts) {
		before, there, err := read(f.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		kept := old.file(f.path)
		if there && !blank(before) {
			after, err := change(c, f, before)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.path, err)
			}
			if string(after) != string(before) {
				if err := writable(f.path); err != nil {
					return nil, err
				}
				c.Files = append(c.Files, FileChange{Path: f.path, Before: before, After: after, Mode: 0o600, Servers: f.wrapped})
				if kept == nil || kept.Written != digest(before) {
					if kept, err = f.origin(before); err != nil {
						return nil, err
					}
				}
				kept.Written = digest(after)
			}
		}
		if kept != nil {
			c.record.Files = append(c.record.Files, *kept)
		}
	}
	return c, nil
}

// origin is what a file is restored to: without the proxy, even if it is
// already in front of some servers.
func (f *serverFile) origin(before []byte) (*recordedFile, error) {
	bare, err := f.edit(before, func(e *edits, s *server) { s.unwrap(e) })
	return &recordedFile{Path: f.path, Original: digest(bare), original: bare}, err
}

// edit visits every server of a file.
func (f *serverFile) edit(src []byte, visit func(*edits, *server)) ([]byte, error) {
	var e edits
	if f.toml {
		for _, s := range tomlServers(src, f.keys[0]) {
			visit(&e, s)
		}
		return e.apply(src), nil
	}
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	for _, key := range f.keys {
		under(d.obj, strings.Split(key, "."), func(name string, v *hujson.Value) { visit(&e, jsonServer(src, name, v, f.strict)) })
	}
	return e.apply(src), nil
}

// under visits the objects at the end of a path of keys.
func under(o *hujson.Object, way []string, visit func(name string, v *hujson.Value)) {
	for i := range o.Members {
		inner, ok := o.Members[i].Value.Value.(*hujson.Object)
		switch name := nameOf(&o.Members[i]); {
		case !ok:
		case len(way) == 0:
			visit(name, &o.Members[i].Value)
		case way[0] == "*" || way[0] == name:
			under(inner, way[1:], visit)
		}
	}
}

// server is an entry of a configuration: a command and its arguments, with
// their positions.
type server struct {
	name    string
	why     string  // why it cannot be wired, "" if it can
	command span    // of the text of the program
	args    *texts  // nil: there are none
	all     bool    // the program is the first of the list
	url     address // an entry with an address, not behind the proxy
	wired   address // an entry with an address, behind the proxy
	missing func(args string) string

	// In TOML: where its settings begin, and which of the first may be ours.
	body     int
	ownLines span
}

// address is an entry with an address, which wrap turns into a command.
type address interface {
	wrap(e *edits, program string, words []string)
	unwrap(e *edits)
}

type span struct {
	from, to int
	text     string // what it says
}

// texts is a list of strings: open is just after its bracket.
type texts struct {
	open  int
	items []span
	next  []int // after the comma of each, or after itself
}

func (l *texts) said() (out []string) {
	for _, item := range l.items {
		out = append(out, item.text)
	}
	return out
}

// ours is where the server's own arguments begin, after the -- of ours, or -1
// if there are none of ours.
func (s *server) ours() int {
	if s.args == nil || s.wired != nil {
		return -1
	}
	from := 0
	if s.all {
		from = 1
	}
	said, name := s.args.said(), from+len(wiredArgs)
	if len(said) < name+3 || !slices.Equal(said[from:name], wiredArgs) {
		return -1
	}
	for at := name + 1; at < len(said)-1; at += 2 {
		switch said[at] {
		case "--":
			return at + 1
		case layers.UserFlag, layers.StateFlag:
			continue
		}
		break
	}
	return -1
}

// wrap puts the proxy in front of a server, once. It says why it cannot.
func (s *server) wrap(e *edits, program string, dirs []string) string {
	if s.why != "" || s.behind() {
		return s.why
	}
	words := slices.Concat(wiredArgs, []string{s.name}, dirs)
	if s.url != nil {
		s.url.wrap(e, program, words)
		return ""
	}
	words = append(words, "--")
	if s.all {
		words = append([]string{program}, words...)
	} else {
		words = append(words, s.command.text)
		*e = append(*e, edit{s.command.from, s.command.to, quoted(program)})
	}
	text := quoted(words...)
	switch {
	case s.args == nil:
		e.insert(s.command.to, s.missing(text))
	case len(s.args.items) > 0:
		e.insert(s.args.open, text+",")
	default:
		e.insert(s.args.open, text)
	}
	return ""
}

// behind reports whether the server is behind the proxy.
func (s *server) behind() bool { return s.wired != nil || s.ours() >= 0 }

// unwrap removes the proxy.
func (s *server) unwrap(e *edits) {
	if s.wired != nil {
		s.wired.unwrap(e)
		return
	}
	at := s.ours()
	if s.why != "" || at < 0 {
		return
	}
	last := at - 1 // the --
	if !s.all {
		last = at
		*e = append(*e, edit{s.command.from, s.command.to, quoted(s.args.items[last].text)})
	}
	e.cut(s.args.open, s.args.next[last])
}

func quoted(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(canonical.AppendString(nil, w))
	}
	return strings.Join(out, ", ")
}

// jsonServer reads an entry of a JSON file. strict is true if the client
// refuses unknown names.
func jsonServer(src []byte, name string, v *hujson.Value, strict bool) *server {
	s := &server{name: name, missing: func(args string) string { return `, "args": [` + args + `]` }}
	o := v.Value.(*hujson.Object)
	command := find(o, "command")
	switch {
	case command == nil && strict:
		var r *commented
		if r, s.why = jsonCommented(src, v); r != nil {
			s.url = r
		}
		return s
	case command == nil:
		var r *remote
		if r, s.why = jsonRemote(o, v.StartOffset+1); r != nil {
			s.url = r
		}
		return s
	}
	if r := unwrapped(v); r != nil {
		s.wired = r
	}
	if r := jsonUncommented(src, v); strict && r != nil {
		s.wired = r
	}
	switch v := command.Value.(type) {
	case hujson.Literal:
		s.command = span{command.StartOffset, command.EndOffset, v.String()}
		if args := find(o, "args"); args != nil {
			s.args = jsonList(args)
			if s.args == nil {
				s.why = "its arguments are not a list of strings"
			}
		}
		if v.Kind() != '"' {
			s.why = "its command is not a string"
		}
	default:
		s.all, s.args = true, jsonList(command)
		if s.args == nil || len(s.args.items) == 0 {
			s.why = "its command is not a list of strings"
		}
	}
	return s
}

// jsonList reads a list of strings, nil if it is something else.
func jsonList(v *hujson.Value) *texts {
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil
	}
	l := &texts{open: v.StartOffset + 1}
	c := containerOf(v)
	for i := range a.Elements {
		text, ok := a.Elements[i].Value.(hujson.Literal)
		if !ok || text.Kind() != '"' {
			return nil
		}
		at := c.slots[i]
		l.items = append(l.items, span{at.start, at.end, text.String()})
		next := at.end
		if at.comma {
			next += len(at.after) + 1
		}
		l.next = append(l.next, next)
	}
	return l
}
