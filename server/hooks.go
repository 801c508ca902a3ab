package server

import (
	"cmp"
	"net/http"
	"path/filepath"

	"github.com/trammel-dev/trammel"
)

// Hook is a hook that is in force.
type Hook struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	On       []string `json:"on"`
	May      string   `json:"may"`
	Source   string   `json:"source"`
	Trial    bool     `json:"trial,omitempty"`
	Priority int      `json:"priority,omitempty"`
}

// HookList is the hooks in force in a directory.
type HookList struct {
	Dir    string   `json:"dir"`
	Digest string   `json:"digest"` // of the configuration
	Hooks  []Hook   `json:"hooks"`
	Notes  []string `json:"notes,omitempty"`
}

// listHooks lists the hooks of a directory; without one, those of the machine
// and the user.
func (s *Server) listHooks(_ http.ResponseWriter, r *http.Request) (any, error) {
	dir := r.FormValue("dir")
	dir = cmp.Or(dir, s.Program.Dirs.User)
	if !filepath.IsAbs(dir) {
		return nil, malformed("dir is not an absolute path")
	}
	c, err := s.Program.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: dir}})
	if err != nil {
		return nil, &badRequest{http.StatusConflict, "the configuration cannot be used: " + err.Error()}
	}
	hooks, err := c.Plan.All()
	if err != nil {
		return nil, err
	}
	out := HookList{Dir: dir, Digest: c.Set.Digest, Hooks: []Hook{}, Notes: c.Plan.Notes}
	for i := range hooks {
		h := &hooks[i]
		item := Hook{ID: h.ID, Kind: h.Kind, May: h.May.String(), Source: h.Source.String(), Trial: h.Trial, Priority: h.Priority, On: []string{}}
		for _, kind := range h.On {
			item.On = append(item.On, kind.String())
		}
		out.Hooks = append(out.Hooks, item)
	}
	return out, nil
}

// Host is an agent whose events can be judged.
type Host struct {
	Name string `json:"name"`
}

// HostList is all agents that are known.
type HostList struct {
	Hosts []Host `json:"hosts"`
}

func (s *Server) listHosts(_ http.ResponseWriter, _ *http.Request) (any, error) {
	out := HostList{Hosts: []Host{}}
	for _, name := range s.Program.Dialects.Hosts() {
		out.Hosts = append(out.Hosts, Host{name})
	}
	return out, nil
}
