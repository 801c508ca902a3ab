package netguard

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// git finds the host of a remote in the repository's configuration. Addresses
// in its arguments are effects already.
func (j *judgement) git(r *effects.Run) {
	call, _ := programs.ReadGit(r)
	dir := r.Dir.Abs
	for _, w := range call.Dirs {
		if filepath.IsAbs(w.Text) {
			dir = w.Text
		} else if dir != "" {
			dir = filepath.Join(dir, w.Text)
		}
	}
	options := call.Options()
	verb, remote := call.Sub, options.Word(0)
	if repo, ok := options.Value("repo"); ok && remote == "" {
		remote = repo.Text
	}
	file := filepath.Join(".git", "config")
	switch verb {
	case "push", "pull", "fetch", "ls-remote":
		if !options.Has("all") && remote == "" {
			remote = "origin"
		}
	case "submodule":
		if remote != "update" && remote != "add" {
			return
		}
		file, remote = ".gitmodules", ""
	case "remote":
		if remote != "update" {
			return
		}
		remote = ""
	default:
		return
	}
	if strings.ContainsAny(remote, ":/") {
		for _, url := range [...]string{remote, scpURL(remote)} {
			for _, h := range hostsOfURL(url) {
				j.host(&h)
			}
		}
		return
	}
	urls := j.remotes(dir, file, remote)
	if len(urls) == 0 && verb != "submodule" {
		j.unknown(strings.TrimSpace("git " + verb + " " + remote))
	}
	for _, url := range urls {
		if !strings.Contains(url, "://") {
			url = scpURL(url)
		}
		for _, h := range hostsOfURL(url) {
			j.host(&h)
		}
	}
}

// scpURL turns git@host:path into a URL; "" if it is none.
func scpURL(text string) string {
	host, _, ok := strings.Cut(text, ":")
	if !ok || strings.Contains(text, "://") || strings.ContainsAny(host, `/\`) {
		return ""
	}
	return "ssh://" + host + "/"
}

// remotes are the addresses of a remote, or of all, in the repository around
// dir. One that is a path is no host.
func (j *judgement) remotes(dir, file, name string) []string {
	for ; dir != ""; dir = filepath.Dir(dir) {
		data, err := j.world.ReadFile(filepath.Join(dir, file), 1<<20)
		if err != nil {
			if dir == filepath.Dir(dir) {
				return nil
			}
			continue
		}
		return remotesIn(string(data), name)
	}
	return nil
}

func remotesIn(config, name string) []string {
	var out []string
	inside := false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = name == "" || line == `[remote "`+name+`"]`
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); inside && (strings.EqualFold(key, "url") || strings.EqualFold(key, "pushurl")) {
			out = append(out, strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return out
}
