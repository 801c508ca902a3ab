package netguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// run looks at what the effects of a program do not list: hosts in its
// configuration, in variables, and in arguments of unknown programs.
func (j *judgement) run(r *effects.Run) {
	if len(j.allow)+len(j.deny) == 0 || r.Data {
		return
	}
	for _, a := range r.Env {
		if proxies(a.Name) {
			j.address(a.Value.Text)
		}
	}
	j.urls(r)
	switch r.Program {
	case "git":
		j.git(r)
	case "curl":
		j.curl(r)
	case "ssh", "scp", "sftp":
		a := programs.Parse(r)
		if hops, ok := a.Value("J"); ok {
			for hop := range strings.SplitSeq(hops.Text, ",") {
				j.address(hop)
			}
		}
	case "docker", "podman", "nerdctl":
		j.image(r)
	}
	switch programs.Talks(r.Program) {
	case "dns": // a question can carry data
		a := programs.Parse(r)
		for _, w := range a.Operands {
			if name := strings.TrimPrefix(w.Text, "@"); strings.ContainsAny(name, ".$:") {
				j.address(name)
			}
		}
	case "mail":
		for _, w := range r.Args {
			if _, domain, ok := strings.Cut(w.Text, "@"); ok {
				j.address(domain)
			}
		}
	}
	if registry, talks := programs.Fetches(r); talks && j.PackageManagers == "check" {
		j.address(registry)
	}
}

// address judges a host that may have a scheme, a user, a port and a path.
func (j *judgement) address(text string) {
	if !strings.Contains(text, "://") {
		text = "x://" + text
	}
	for _, h := range hostsOfURL(text) {
		if h.name != "" {
			j.host(&h)
		}
	}
}

// urls judges every argument that is a URL, whatever the program is: what else
// would it do with it. A message may be one.
func (j *judgement) urls(r *effects.Run) {
	for i, w := range r.Args {
		text := w.Text
		if strings.HasPrefix(text, "-") {
			_, text, _ = strings.Cut(text, "=")
		}
		if i > 0 && (r.Args[i-1].Text == "-m" || r.Args[i-1].Text == "--message" || r.Args[i-1].Text == "--body" ||
			r.Args[i-1].Text == "--title") {
			continue
		}
		scheme, _, ok := strings.Cut(text, "://")
		if ok && scheme != "" && scheme != "file" && strings.Trim(scheme,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") == "" && !strings.ContainsAny(text, " \n") {
			j.address(text)
		}
	}
}

// curl judges the hosts that its options put in the place of others.
func (j *judgement) curl(r *effects.Run) {
	a := programs.Parse(r)
	for _, w := range a.All("connect-to") { // HOST:PORT:HOST:PORT
		if parts := strings.SplitN(w.Text, ":", 3); len(parts) == 3 {
			j.address(parts[2])
		}
	}
	for _, w := range a.All("resolve") { // HOST:PORT:ADDRESS
		if parts := strings.SplitN(w.Text, ":", 3); len(parts) == 3 {
			for address := range strings.SplitSeq(parts[2], ",") {
				h := newHost(address, "")
				j.host(&h)
			}
		}
	}
	if file, ok := a.Value("config"); ok {
		j.unknown("curl -K " + file.Text)
	}
}

// image judges the registry of an image; one without is the usual one.
func (j *judgement) image(r *effects.Run) {
	a := programs.Parse(r)
	verb := a.Word(0)
	if verb != "pull" && verb != "push" && verb != "login" {
		return
	}
	registry, _, path := strings.Cut(a.Word(1), "/")
	if strings.ContainsAny(registry, ".:") && (path || verb == "login") {
		j.address(registry)
	}
}

func proxies(name string) bool {
	switch strings.ToLower(name) {
	case "http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "npm_config_registry", "pip_index_url", "goproxy":
		return true
	}
	return false
}
