package netguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// run looks at what the effects of a program do not list: hosts in its
// configuration, in variables, and in arguments of programs that nobody knows.
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
		if hops, ok := value(r.Args, "-J"); ok {
			for hop := range strings.SplitSeq(hops, ",") {
				j.address(hop)
			}
		}
	case "dig", "nslookup", "host", "drill", "ping", "ping6", "traceroute", "tracepath", "mtr", "whois": // a question can carry data
		for _, name := range operands(r.Args) {
			if name = strings.TrimPrefix(name, "@"); strings.ContainsAny(name, ".$:") {
				j.address(name)
			}
		}
	case "mail", "mailx", "sendmail", "mutt", "swaks", "msmtp":
		for _, w := range r.Args {
			if _, domain, ok := strings.Cut(w.Text, "@"); ok {
				j.address(domain)
			}
		}
	case "docker", "podman", "nerdctl":
		j.image(r)
	}
	if registry, talks := registryOf(r); talks && j.PackageManagers == "check" {
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

func (j *judgement) curl(r *effects.Run) {
	if to, ok := value(r.Args, "--connect-to"); ok { // HOST:PORT:HOST:PORT
		if parts := strings.SplitN(to, ":", 3); len(parts) == 3 {
			j.address(parts[2])
		}
	}
	if to, ok := value(r.Args, "--resolve"); ok { // HOST:PORT:ADDRESS
		if parts := strings.SplitN(to, ":", 3); len(parts) == 3 {
			for address := range strings.SplitSeq(parts[2], ",") {
				h := newHost(address, "")
				j.host(&h)
			}
		}
	}
	if file, ok := value(r.Args, "-K", "--config"); ok {
		j.unknown("curl -K " + file)
	}
}

// image judges the registry of an image; one without is the usual one.
func (j *judgement) image(r *effects.Run) {
	words := operands(r.Args)
	if len(words) < 2 || words[0] != "pull" && words[0] != "push" && words[0] != "login" {
		return
	}
	registry, _, path := strings.Cut(words[1], "/")
	if strings.ContainsAny(registry, ".:") && (path || words[0] == "login") {
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

// value is the value of an option, as the next word or after =.
func value(args []effects.Word, names ...string) (string, bool) {
	for i, w := range args {
		for _, name := range names {
			if w.Text == name && i+1 < len(args) {
				return args[i+1].Text, true
			}
			if rest, ok := strings.CutPrefix(w.Text, name+"="); ok {
				return rest, true
			}
		}
	}
	return "", false
}

func has(args []effects.Word, flag string) bool {
	for _, w := range args {
		if w.Text == flag {
			return true
		}
	}
	return false
}

// operands are the words that are no options. The value of an option may be
// among them.
func operands(args []effects.Word) []string {
	var out []string
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			out = append(out, w.Text)
		}
	}
	return out
}
