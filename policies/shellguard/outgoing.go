package shellguard

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/past"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/variables"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// variables judges secret variables in a sender's arguments. In a header, or as a
// user's password, they are logins.
func (j *judge) variables(n *model.Net) {
	args := j.set.Runs[n.Run].Args
	if n.URL == model.Rest && j.set.Runs[n.Run].By < 0 && j.fromEnvironment(args) {
		return // no second address: a token is one word, with and without quotes
	}
	for i, a := range args {
		if netcat(j.set.Runs[n.Run].Program) && variables.Agent(a.Text) {
			j.add("exfiltration", a.Text+" → "+j.goal(n))
		}
		if i > 0 {
			switch args[i-1].Text {
			case "-H", "--header", "-u", "--user", "--oauth2-bearer", "-b", "--cookie", "--password", "--token", "--api-key", "-p":
				j.logsInElsewhere(&a, n)
				continue
			}
		}
		if strings.HasPrefix(a.Text, "-H") || strings.HasPrefix(a.Text, "--header") || strings.HasPrefix(a.Text, "-u") ||
			strings.HasPrefix(a.Text, "--token=") && (n.Host == "github.com" || n.Host == "gitlab.com") {
			j.logsInElsewhere(&a, n)
			continue
		}
		for _, name := range variables.Secrets(withoutAddress(n, variables.WithoutHost(variables.WithoutUser(a.Text)))) {
			if strings.HasPrefix(n.URL, "https://") && model.TokenFor(name, n.Host) && variables.LogsIn(a.Text, name) {
				continue
			}
			if n.Host == "" && model.Connection(name) || j.answersLogin(&a, name, n) { // it is where the program goes, or has been
				continue
			}
			j.add("sends_variable", "$"+name+" → "+j.goal(n))
		}
		for run := a.Uses.From; run < a.Uses.To; run++ {
			if j.reveals(run) {
				j.add("exfiltration", j.line(run)+" → "+j.goal(n))
			} else if j.printsVariable(run) { // $(echo $TOKEN | base64)
				j.add("sends_variable", j.line(run)+" → "+j.goal(n))
			}
		}
	}
	if from := j.set.Runs[n.Run].From; from >= 0 && (n.Sends || netcat(j.set.Runs[n.Run].Program)) && j.set.Runs[from].Data {
		for _, a := range j.set.Runs[from].Args {
			for _, name := range variables.Secrets(a.Text) {
				j.add("sends_variable", "$"+name+" → "+j.goal(n))
			}
		}
	}
}

// answersLogin reports whether a secret occurs in a word only because a command in it has
// logged in with it, at the host that its answer goes back to:
// https://a.example/$(curl -H "Authorization: $TOKEN" https://a.example/new).
func (j *judge) answersLogin(a *effects.Word, name string, n *model.Net) bool {
	if n.Host == "" || slices.Contains(variables.Secrets(variables.WithoutCommands(a.Text)), name) {
		return false
	}
	asked := false
	for run := a.Uses.From; run < a.Uses.To; run++ {
		if !uses(&j.set.Runs[run], name) {
			continue
		}
		asked = false
		for i := range j.set.Nets {
			if by := &j.set.Nets[i]; by.Run == run && (by.URL != model.Rest || !j.fromEnvironment(j.set.Runs[run].Args)) {
				if by.Host != n.Host {
					return false
				}
				asked = true
			}
		}
		if !asked {
			return false
		}
	}
	return asked
}

// fromEnvironment reports whether only variables that the command line does not set
// are unknown in the arguments.
func (j *judge) fromEnvironment(args []effects.Word) bool {
	for i := range j.set.Runs {
		switch j.set.Runs[i].Program {
		case ".", "source", "eval", "getopts":
			return false // they set variables that are not seen
		}
	}
	unknown := false
	for _, a := range args {
		unknown = unknown || !a.Known
		if a.Splits || a.Uses.From < a.Uses.To || strings.Contains(a.Text, "`") {
			return false
		}
		for rest := a.Text; !a.Known; {
			_, after, more := strings.Cut(rest, "$")
			if !more {
				break
			}
			if rest = strings.TrimPrefix(after, "{"); rest == "" || rest[0] != '_' && (rest[0]|0x20 < 'a' || rest[0]|0x20 > 'z') {
				return false // $@, $1, $(…), ${!X}
			}
		}
	}
	return unknown
}

// withoutAddress is a URL without the variable that it begins with, if that is an
// address by its name: $ACTIONS_ID_TOKEN_REQUEST_URL&audience=x goes to where it says.
func withoutAddress(n *model.Net, text string) string {
	rest := strings.Replace(strings.Replace(text, "${", "$", 1), "}", "", 1)
	if name, ok := strings.CutPrefix(rest, "$"); ok && text == n.URL {
		end := strings.IndexAny(name+"&", "/?&#")
		if strings.HasSuffix(name[:end], "_URL") && strings.Trim(name[:end], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
			return name[end:]
		}
	}
	return text
}

// logsInElsewhere judges a login at a host with the token for another one: that of gh
// is for GitHub.
func (j *judge) logsInElsewhere(a *effects.Word, n *model.Net) {
	for run := a.Uses.From; run < a.Uses.To; run++ {
		own := programs.TokenHosts(&j.set.Runs[run])
		if len(own) > 0 && n.Host != "" && !slices.ContainsFunc(own, func(own string) bool {
			return n.Host == own || strings.HasSuffix(n.Host, "."+own)
		}) {
			j.add("exfiltration", j.line(run)+" → "+j.goal(n))
		}
	}
}

// pushes judges a push to somewhere else: to an address that the repository does
// not have, or to a remote that this line has made or changed.
func (j *judge) pushes(i int) {
	w := programs.Parse(&j.set.Runs[i])
	at := 0
	for at < len(w.Operands) && w.Operands[at].Text != "push" {
		at++
	}
	if at >= len(w.Operands) {
		return
	}
	to := w.Word(at + 1)
	if address(to) {
		if !j.remotes(i, to) && !j.ownRepository(to) {
			j.add("pushes_elsewhere", to)
		}
		return
	}
	for k := range j.set.Runs[:i+1] {
		r := &j.set.Runs[k]
		if r.Program == "git" {
			j.redirected(r)
		}
	}
	if r, ok := past.Redirected(j.at, cmp.Or(to, "origin")); ok {
		j.add("pushes_elsewhere", r.What+" (a remote that this session has set"+when(r)+")")
	}
}

// ownRepository reports whether an address is the one of the repository that a CI
// runner works on, whatever its name is.
func (j *judge) ownRepository(url string) bool {
	login, path, ok := strings.Cut(url, "@github.com/")
	login, https := strings.CutPrefix(login, "https://")
	path = strings.TrimSuffix(strings.NewReplacer("{", "", "}", "").Replace(path), ".git")
	name, _ := j.at.LookupEnv("GITHUB_REPOSITORY")
	return ok && https && !strings.ContainsAny(login, "/?#\\`(@") && path != "" && (path == "$GITHUB_REPOSITORY" || path == name)
}

// redirected looks at what a run of git says about where a remote is.
func (j *judge) redirected(r *effects.Run) {
	for n, a := range r.Args {
		key, value, _ := strings.Cut(strings.ToLower(a.Text), "=")
		known := !strings.ContainsAny(value, "$`")
		if value == "" && n+1 < len(r.Args) {
			value, known = r.Args[n+1].Text, r.Args[n+1].Known
		}
		switch {
		case paths.SameRemote(key, effects.Word{Text: value, Known: known}):
		case strings.HasPrefix(key, "url.") && strings.HasSuffix(key, "insteadof"), strings.HasPrefix(key, "remote.") &&
			(strings.HasSuffix(key, ".url") ||
				strings.HasSuffix(key, ".pushurl")) && address(value):
			j.add("pushes_elsewhere", a.Text)
		case (a.Text == "add" || a.Text == "set-url") && n > 0 && r.Args[n-1].Text == "remote":
			for _, word := range r.Args[n+1:] {
				if address(word.Text) && !j.remotes(-1, word.Text) && !j.ownRepository(word.Text) {
					j.add("pushes_elsewhere", word.Text)
				}
			}
		}
	}
}

// address reports whether a word is where a repository is, and no remote's name.
func address(text string) bool {
	host, _, scp := strings.Cut(text, ":")
	return strings.Contains(text, "://") || scp && strings.Contains(host, "@")
}

// remotes reports whether the repository has an address already.
func (j *judge) remotes(run int, text string) bool {
	dir := j.ground.Project
	if run >= 0 && j.set.Runs[run].Dir.Abs != "" {
		dir = j.set.Runs[run].Dir.Abs
	}
	return past.HasRemote(j.at, dir, text)
}

// serves judges a server for files of a folder that holds secrets. A program that nobody
// has listed is one if its words say so.
func (j *judge) serves(i int) {
	r := &j.set.Runs[i]
	_, known := programs.Lookup(r.Program)
	unknown := !known && words.Serves(r.Program, r.Args)
	switch r.Program {
	case "python", "python2", "python3", "php", "busybox", "httpd", "ruby", "serve", "http-server", "npx", "caddy", "ngrok", "twistd",
		"twist", "darkhttpd", "miniserve", "rclone", "deno", "bunx", "pnpx", "uvx", "pipx":
	default:
		if !unknown {
			return
		}
	}
	line := " " + j.line(i) + " "
	if !unknown && !slices.ContainsFunc([]string{"http", "HTTP", " -S ", "serve", "ftp", " web "},
		func(sign string) bool { return strings.Contains(line, sign) }) {
		return
	}
	for _, a := range r.Args {
		text := strings.TrimPrefix(a.Text[strings.IndexByte(a.Text, '=')+1:], "file://")
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") {
			if text == "~" || strings.HasPrefix(text, "~/") {
				text = j.at.Home() + text[1:]
			}
			if p := (effects.Path{Text: a.Text, Abs: path.Clean(text)}); j.ground.SecretTree(p) || p.Abs == "/" {
				j.add("exfiltration", a.Text+" → everybody")
			}
		}
	}
	if r.Dir.Abs != "" && j.ground.SecretTree(r.Dir) && (strings.Contains(line, "http.server") ||
		strings.Contains(line, "SimpleHTTPServer") || strings.Contains(r.Program, "serve")) {
		j.add("exfiltration", r.Dir.Abs+" → everybody")
	}
}
