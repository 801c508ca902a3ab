package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// reach lists a host that is named as a URL, as host:port or as user@host.
func (c *call) reach(w Word, sends bool) {
	if w.Known && w.Text == "" {
		return
	}
	n := model.Net{URL: w.Text, Sends: sends}
	if w.Known || !strings.ContainsAny(w.Text, "$`") {
		n.Host, n.Port = paths.HostOf(w.Text)
	} else if i := strings.LastIndexAny(w.Text, "$`"); strings.HasPrefix(w.Text[i:], "$") { // $x.example.com is below example.com
		if _, rest, ok := strings.Cut(w.Text[i:], "."); ok && strings.Contains(rest, ".") && strings.Trim(rest, hostLetters) == "" {
			n.Host = "*." + strings.ToLower(rest)
		}
	}
	c.host.AddNet(n)
}

const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"

// talks lists the hosts of programs that talk to some by themselves: questions
// to DNS, mail, and services that show a file to others.
func (c *call) talks(operands []Word, sent bool) {
	switch net := c.row.field("net"); net {
	case "dns":
		for _, w := range operands {
			if w.Text = strings.TrimPrefix(w.Text, "@"); !w.Known || strings.ContainsAny(w.Text, ".:") {
				c.reach(w, false)
			}
		}
	case "mail":
		for _, w := range operands {
			if _, domain, ok := strings.Cut(w.Text, "@"); ok {
				c.reach(Word{Text: domain, Known: w.Known}, sent || c.host.Fed())
			} else if sent || c.host.Fed() { // whoever that is
				c.host.AddNet(model.Net{URL: w.Text, Sends: true})
			}
		}
	case "listen":
		c.host.AddNet(model.Net{Listens: true})
	case "paste":
		if sent || c.host.Fed() {
			c.host.AddNet(model.Net{Sends: true})
		}
	default:
		if sent {
			c.host.AddNet(model.Net{Host: net, Sends: true})
		}
	}
}

// Tells reports whether a run sends its text arguments to a host: gh issue create
// --body.
func Tells(r *model.Run) bool {
	row, _ := Lookup(r.Program)
	row, _ = row.inner(r.Args)
	return strings.Contains(row.opt, "body-file=T")
}

// sshOption reads one -o option of ssh and its relatives.
func (c *call) sshOption(w Word) {
	name, value, ok := strings.Cut(w.Text, "=")
	if !ok {
		name, value, ok = strings.Cut(strings.TrimSpace(w.Text), " ")
	}
	given := Word{Text: strings.TrimLeft(value, "; \t"), Known: w.Known}
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "proxycommand", "localcommand", "knownhostscommand", "ssh_command":
		if ok && given.Text != "none" {
			c.host.Command(given)
		}
	case "proxyjump", "hostname":
		c.do(&roles{}, parts.Part{Role: 'H'}, given)
	}
}

// forwards lists the host at the other end of ssh -L, -R and -W.
func (c *call) forwards(w Word) {
	parts := strings.Split(w.Text, ":")
	if n := len(parts); n > 1 && w.Known && !strings.ContainsAny(w.Text, "[/") {
		c.reach(word(parts[n-2]+":"+parts[n-1]), false)
	}
}

// machine lists a machine that ssh logs in to, by its own name and by the one
// that the user's configuration has for it, and those on the way to it.
func (c *call) machine(n model.Net) {
	file := path.Join(c.host.Home(), ".ssh/config")
	if a, ok := c.options(); ok {
		if own, given := a.Value("F"); given {
			file = c.place(own).Real
		}
	}
	text, _ := c.host.Text(file)
	var seen []string
	for next := []model.Net{n}; len(next) > 0; {
		n, next = next[0], next[1:]
		if slices.Contains(seen, n.Host) {
			continue
		}
		seen = append(seen, n.Host)
		c.host.AddNet(n)
		if n.Host == "" {
			continue
		}
		names, via := recipes.Machine(text, n.Host)
		for _, name := range names {
			c.host.AddNet(model.Net{Host: name, Port: n.Port, Sends: n.Sends})
		}
		for _, name := range via {
			host, port := paths.HostOf(name)
			next = append(next, model.Net{Host: host, Port: port})
		}
	}
}

// image lists the registry of an image that is named by its host.
func (c *call) image(w Word) {
	registry, rest, ok := strings.Cut(paths.AfterScheme(w.Text), "/") // docker://host/image
	if ok && rest != "" && strings.ContainsAny(registry, ".:") && registry[0] != '.' || registry == "localhost" {
		c.reach(Word{Text: registry, Known: w.Known}, false)
	}
}

// modules is go: a module that is fetched by its path may come from the host
// that the path begins with.
func modules(c *call) {
	c.generic()
	a := c.row.Parse(c.args)
	for _, w := range a.Operands {
		if a.Word(0) == "run" && strings.HasSuffix(w.Text, ".go") {
			c.host.RunFile("go", w)
		}
	}
	switch a.Word(0) {
	case "mod", "work":
		if a.Word(1) == "edit" {
			c.write(a.Operands[2:]...)
		}
	case "get", "install", "run":
		for _, w := range a.Operands[1:] {
			host, rest, ok := strings.Cut(w.Text, "/")
			if ok && rest != "" && !strings.HasPrefix(host, ".") && strings.Contains(host, ".") && strings.Trim(host, hostLetters) == "" {
				c.reach(word(host), false)
			}
		}
	}
}

// containerCopy is docker cp and kubectl cp: one side is in a container, that of
// a cluster on another machine.
func containerCopy(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) != 2 {
		return
	}
	from, to := a.Operands[0], a.Operands[1]
	sends := strings.Contains(to.Text, ":") && !strings.HasPrefix(to.Text, "/") && !strings.HasPrefix(to.Text, ".")
	if !sends && to.Text != "-" {
		c.host.Wrote(c.add(File{Op: Write, Tree: true}, to), Fetched)
	} else if sends && from.Text != "-" {
		c.add(File{Op: Read, Tree: true}, from)
	}
	for _, e := range c.host.Run().Env {
		if e.Name == "DOCKER_HOST" || e.Name == "CONTAINER_HOST" {
			c.reach(e.Value, sends)
		}
	}
	if strings.HasPrefix(c.name, "kubectl") {
		c.host.AddNet(model.Net{Sends: sends})
	}
}

// Reached lists the host that the value of such a variable names.
func Reached(host Host, w Word) {
	c := call{host: host}
	for part := range strings.SplitSeq(w.Text, ",") { // GOPROXY=https://a,direct
		if part != "" && part != "direct" && part != "off" && !strings.HasPrefix(part, "/") && !strings.HasPrefix(part, "unix:") &&
			!strings.HasPrefix(part, "file:") {
			c.reach(Word{Text: part, Known: w.Known}, false)
		}
	}
}

// talksBy reports whether the row says that the program has hosts of its own.
func (r *Row) talksBy() bool { return r.has("net") || r.has("is") || r.has("service") }

// Talks reports whether the program is one that talks to hosts, or may: one that
// is not known.
func (r *Row) Talks() bool {
	return r.Name == "" || r.talksBy() || r.special == "database" || r.special == "cloudCopy" || r.runs == "container" || r.Name == "gh"
}
