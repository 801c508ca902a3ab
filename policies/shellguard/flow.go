package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/past"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/builds"
	"github.com/trammel-dev/trammel/policies/shellguard/encoded"
	"github.com/trammel-dev/trammel/policies/shellguard/hosts"
)

// flows judges data that goes to the network, and code that comes from it.
func (j *judge) flows() {
	for i := range j.set.Codes {
		c := &j.set.Codes[i]
		switch {
		case c.Origin == model.Network && program(c.Language):
			j.remote(c)
		case (c.Language == "shell" || c.Origin == model.OnDisk && program(c.Language)) && j.fromPipe(c):
			j.add("unseen_commands", j.line(c.Run))
		case program(c.Language) && encoded.Code(j.set, c):
			j.add("decoded_code", j.line(c.Run))
		case program(c.Language) && c.Origin == model.Piped:
			if run, found := encoded.Stored(j.set, c); run >= 0 {
				j.add(code(found), j.line(run))
			}
		case c.Text != "":
			j.statements(c)
		}
	}
	leaks, exports, compared := j.readsSecrets(), j.exportsAny(), 0
	for i := range j.set.Nets {
		n := &j.set.Nets[i]
		if hostname.Metadata(n.Host) {
			j.add("cloud_metadata", n.Host)
		}
		if n.Run < 0 {
			j.toolSends(n)
			continue
		}
		if program := j.set.Runs[n.Run].Program; isShell(program) {
			j.shellSocket(n)
		} else if program == "exec" && !local(n.Host) {
			j.add("raw_socket", n.Host)
		}
		j.later(n)
		if local(n.Host) {
			continue
		}
		if compared += len(j.set.Runs[n.Run].Args); compared > 40_000 || i >= 200 && (leaks || exports) {
			j.add("too_complex", "")
			continue
		}
		j.variables(n)
		j.spells(n)
		if leaks || exports { // this compares all runs
			if feeds := j.feeds(n); len(feeds) > 0 {
				j.sends(n, feeds)
				j.handsOut(n, feeds)
			}
		}
	}
	j.reverseShells()
}

// services judges what goes to a service that a program contacts by itself: all
// variables, as in gh issue create -b "$(env)".
func (j *judge) services(i int) {
	r := &j.set.Runs[i]
	j.uploads(i)
	for _, used := range append(slices.Clip(r.Uses), r.From) {
		if used < 0 || !j.dumps(used) || j.hiddenBehind(used) {
			continue
		}
		for _, n := range effects.Hosts(j.set) {
			if n.Own && n.Run == i {
				j.add("exfiltration", j.line(used)+" → "+j.goal(&n))
			}
		}
	}
}

// uploads judges a program that contacts a service by itself and is given a file or a folder
// that an earlier call has put a secret into: wrangler pages deploy out.
func (j *judge) uploads(i int) {
	r := &j.set.Runs[i]
	if r.Data || r.Remote || !j.at.Remembers(trammel.HoldsSecret) {
		return
	}
	hosts := effects.Hosts(j.set)
	at := slices.IndexFunc(hosts, func(n model.Net) bool { return n.Own && n.Run == i && !local(n.Host) })
	if at < 0 {
		return
	}
	for _, w := range r.Args {
		if w.Text == "" || w.Text[0] == '-' || !w.Known || strings.Contains(w.Text, "://") {
			continue
		}
		p := builds.Place(r.Dir.Abs, w.Text)
		if _, found, _ := j.at.Recall(trammel.HoldsSecret, &p); found || j.ground.CopiedBelow(&p) {
			j.add("exfiltration", where(p)+" → "+j.goal(&hosts[at]))
		}
	}
}

// runsInput reports whether code that is not known is what a program reads from its standard input,
// and a host has said that: curl … | python3 -c 'exec(sys.stdin.read())'.
func (j *judge) runsInput(d *model.Doubt) bool {
	for run, steps := d.Run, 0; run >= 0 && steps < len(j.set.Runs); run, steps = j.set.Runs[run].By, steps+1 {
		if j.isFed(&j.set.Runs[run], d.What) {
			return true
		}
	}
	return false
}

// isFed reports whether a host feeds an interpreter whose code reads its standard input. code is the
// part of it that is not known.
func (j *judge) isFed(r *effects.Run, code string) bool {
	if programs.Language(r) == "" && !isAwk(r.Program) && !slices.Contains([]string{"sed", "pwsh", "powershell"}, r.Program) {
		return false
	}
	reads := slices.ContainsFunc(append(slices.Clip(r.Args), model.Word{Text: code}), func(a model.Word) bool {
		text := strings.ToLower(a.Text)
		return slices.ContainsFunc([]string{"stdin", "$<", "<>", "readfilesync(0", "io.read", "$input", "$0", "argf",
			"gets", "&/e", "fd/0", "open(0", "$_"},
			func(name string) bool { return strings.Contains(text, name) })
	})
	for from, steps := r.From, 0; reads && from >= 0 && steps < len(j.set.Runs); from, steps = j.set.Runs[from].From, steps+1 {
		if slices.ContainsFunc(j.set.Nets, func(n model.Net) bool { return n.Run == from && !n.Own && !local(n.Host) }) {
			return true
		}
	}
	return false
}

// program reports whether code in a language can start programs.
func program(language string) bool {
	return !slices.Contains([]string{"sql", "jq", "redis", "mongo", "bc"}, language)
}

// remote judges code from the network: a shell that reads from a connection is
// controlled by somebody else. Code that this machine serves is fine.
func (j *judge) remote(c *model.Code) {
	if c.Language == model.PackageFile {
		return // a trap, as if the program had been given its address
	}
	if c.Language == "unknown" && c.File.Known() && j.cloned(c.File.Abs) == c.File.Abs { // a whole repository is no script
		j.add("foreign_source", c.File.Abs)
		return
	}
	if c.Run >= 0 && netcat(j.set.Runs[c.Run].Program) {
		j.add("reverse_shell", j.line(c.Run))
		return
	}
	nets := j.feeding(c)
	foreign := slices.ContainsFunc(nets, func(n model.Net) bool { return !hosts.Deno(n.Host) })
	if c.Run >= 0 && !foreign && hosts.Sandboxed(&j.set.Runs[c.Run]) {
		return
	}
	known := ""
	for i := range nets {
		n := &nets[i]
		switch {
		case local(n.Host):
			continue
		case n.URL == "" && n.Run == c.Run && c.Language == "shell": // a socket, and a shell on it
			j.add("reverse_shell", n.Host)
		case hosts.Installer(n.URL), hosts.Release(n.URL), n.Host != "" && (j.checked(c) || j.ours(n.URL)):
			known = n.URL
			continue
		case n.Host == "":
			j.add("remote_unknown", n.URL)
		default:
			j.add("remote_code", n.Host)
		}
		return
	}
	switch {
	case known != "" && !hosts.Installer(known):
		j.add("remote_release", known)
	case known != "":
		j.add("remote_installer", known)
	case len(nets) == 0:
		j.add("remote_code", c.File.Text)
	}
}

// ours reports whether an address is in a branch of a repository of the account that a remote
// of the project belongs to.
func (j *judge) ours(url string) bool {
	owner := hosts.Owner(url)
	return owner != "" && past.HasOwner(j.at, j.ground.Project, owner)
}

// checked reports whether the call compares the file whose code is run with a checksum that
// it names: echo "9f86d0… tool" | sha256sum -c.
func (j *judge) checked(c *model.Code) bool {
	return c.File.Known() && slices.ContainsFunc(j.set.Runs, func(r model.Run) bool {
		switch r.Program {
		case "sha256sum", "sha512sum", "sha384sum", "shasum", "gsha256sum":
			return r.Input != nil && !r.Remote && hosts.Sums(*r.Input, path.Base(c.File.Abs))
		}
		return false
	})
}

// feeding are the hosts from which code comes: those of the runs that have written it,
// if each of them has it from a host, and all hosts otherwise.
func (j *judge) feeding(c *model.Code) (out []model.Net) {
	if c.Run < 0 {
		return j.set.Nets
	}
	r := &j.set.Runs[c.Run]
	writers := slices.Clone(r.Uses)
	if r.From >= 0 {
		writers = append(writers, r.From)
	}
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Op != model.Read && c.File.Real != "" && f.Path.Real == c.File.Real {
			writers = append(writers, f.Run)
		} else if f.Op == model.Write && strings.HasSuffix(f.Path.Abs, "rc") || f.Path.Abs == "/etc/hosts" { // .curlrc says where curl looks
			return j.set.Nets
		}
	}
	for _, run := range writers {
		before := len(out)
		for _, n := range j.set.Nets {
			if n.Run == run {
				out = append(out, n)
			}
		}
		if len(out) == before || run < 0 || j.set.Runs[run].From >= 0 || len(j.set.Runs[run].Uses) > 0 || r.From >= 0 && !r.Sole {
			return j.set.Nets
		}
	}
	if len(writers) == 0 {
		return j.set.Nets
	}
	return out
}

// fromInstaller reports whether a shell runs only the install script of a well-known
// project.
func (j *judge) fromInstaller(r *model.Run) bool {
	if r.From < 0 || len(j.set.Nets) == 0 {
		return false
	}
	fed := false
	for i := range j.set.Nets {
		n := &j.set.Nets[i]
		if !hosts.Installer(n.URL) {
			return false
		}
		fed = fed || n.Run == r.From
	}
	return fed
}

func local(host string) bool { return hostname.Local(host) }
