package install

import (
	"fmt"
	"os/exec"
)

// Server is an MCP server that a host's configuration names.
type Server struct {
	Name, Path string
	// Behind: the proxy is in front of it. Broken says why that proxy cannot be
	// started; the server cannot be reached then.
	Behind bool
	Broken string
	// Whose says why the proxy cannot be put in front of it: somebody else adds it.
	Whose string
	// Project: it is in the project's settings.
	Project bool
}

// Servers lists the servers of a host in one scope, in the order of its files.
// The user's are followed by those of plugins and administrators.
func Servers(env Env, host string, opts Options) ([]Server, error) {
	h, err := Find(host)
	if err != nil {
		return nil, err
	}
	var out []Server
	for _, f := range serverFiles(env, h, opts) {
		src, there, err := read(f.path)
		if err == nil && there && !blank(src) {
			_, err = f.edit(src, func(_ *edits, s *server) { out = append(out, s.status(f.path)) })
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	if opts.Scope == User {
		out = append(out, foreignServers(env, h)...)
	}
	return out, nil
}

func (s *server) status(path string) Server {
	out := Server{Name: s.name, Path: path, Behind: s.behind()}
	if !out.Behind {
		return out
	}
	program := s.command.text
	if s.all {
		program = s.args.items[0].text
	}
	if _, err := exec.LookPath(program); err != nil {
		out.Broken = err.Error()
	}
	return out
}
