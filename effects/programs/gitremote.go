package programs

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/gitline"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// gitRemote lists the host of a remote: of a URL, or of what the repository's
// configuration has for a name. A name that it does not have is an unknown host.
func (c *call) gitRemote(w Word, sends bool) {
	if strings.HasPrefix(w.Text, "file://") {
		c.url(w, sends)
		return
	}
	if words := gitline.Transport(w); words != nil {
		c.host.Start(words, Start{})
		return
	}
	if host := paths.RemoteHost(w); host != "" {
		n := model.Net{Host: strings.ToLower(host), URL: w.Text, Sends: sends}
		if strings.Contains(w.Text, "://") {
			_, n.Port = paths.HostOf(w.Text)
		}
		c.machine(n)
	} else if !w.Known && !strings.HasPrefix(w.Text, ".") && !strings.HasPrefix(w.Text, "/") { // those are files
		c.host.AddNet(model.Net{URL: w.Text, Sends: sends})
	}
}

// gitRemotes lists the hosts of a remote of this repository, or of all of them.
func (c *call) gitRemotes(name Word, all, sends bool) {
	if !all && (strings.ContainsAny(name.Text, ":/.") || !name.Known) {
		c.gitRemote(name, sends)
		return
	}
	found := false
	c.gitConfigured(".git/config", func(key, value string) {
		remote, ok := strings.CutPrefix(key, "remote.")
		at := max(strings.LastIndexByte(remote, '.'), 0)
		if ok && (all || strings.EqualFold(remote[:at], name.Text)) && (remote[at:] == ".url" || remote[at:] == ".pushurl" && sends) {
			found = true
			c.gitRemote(word(value), sends)
		}
	})
	if !found {
		c.host.AddNet(model.Net{URL: name.Text, Sends: sends})
	}
}

// gitConfigured reads a configuration file of the repository around the
// directory where git runs.
func (c *call) gitConfigured(file string, setting func(key, value string)) {
	for dir := c.dir.Abs; dir != ""; dir = path.Dir(dir) {
		text, ok := c.host.Text(path.Join(dir, file))
		for key, value := range recipes.Settings(text) {
			setting(key, value)
		}
		if ok || dir == path.Dir(dir) {
			return
		}
	}
}

// gitFetches lists the hosts of push, fetch, pull and ls-remote.
func (c *call) gitFetches(verb string) {
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	remote := word("origin")
	if repo, ok := a.Value("repo"); ok {
		remote = repo
	}
	if len(a.Operands) > 0 {
		remote = a.Operands[0]
	}
	c.gitRemotes(remote, a.Has("all", "multiple") && verb != "push", verb == "push")
}

// jj lists the hosts of jj git push, fetch and clone.
func jj(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	remote, ok := a.Value("remote")
	if !ok {
		remote = word("origin")
	}
	switch verb := a.Word(0); {
	case verb == "push" || verb == "fetch":
		c.gitRemotes(remote, false, verb == "push")
	case verb == "clone" && len(a.Operands) > 1:
		c.gitRemote(a.Operands[1], false)
	}
}

// gitRemoteVerb is git remote: a remote that is added is as good as talked to.
func (c *call) gitRemoteVerb() {
	a, _ := c.options()
	switch a.Word(0) {
	case "add", "set-url":
		for _, w := range a.Operands[1:] {
			c.gitRemote(w, false)
		}
	case "update":
		c.gitRemotes(Word{}, true, false)
	case "prune", "show":
		if len(a.Operands) > 1 {
			c.gitRemotes(a.Operands[1], false, false)
		}
	}
}

func (c *call) gitSubmodule() {
	if len(c.args) == 0 {
		return
	}
	switch a := (&options.Parser{Style: options.Style{Posix: true}}).Read(c.args[1:]); c.args[0].Text {
	case "foreach":
		c.host.Command(gitline.Joined(a.Operands))
	case "add", "set-url":
		for _, w := range c.args[1:] {
			c.gitRemote(w, false)
		}
	case "update":
		c.gitConfigured(".gitmodules", func(key, value string) {
			if strings.HasSuffix(key, ".url") {
				c.gitRemote(word(value), false)
			}
		})
	}
}

// gitAddress lists the host that a setting puts in the place of another.
func (c *call) gitAddress(name string, value Word) {
	switch {
	case strings.HasPrefix(name, "url."):
		if end := strings.LastIndexByte(name, '.'); end > len("url.") { // url.BASE.insteadOf
			c.gitRemote(word(name[len("url."):end]), false)
		}
	case strings.HasPrefix(name, "remote.") && (strings.HasSuffix(name, ".url") || strings.HasSuffix(name, ".pushurl")):
		c.gitRemote(value, false)
	case name == "http.proxy", strings.HasSuffix(name, ".proxy"):
		c.reach(value, false)
	}
}
