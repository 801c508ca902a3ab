package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/server/auth"
)

// addProcess lets agents control the process in a directory. It is pinned:
// after a change of the pack it fails until the server is restarted.
func (s *Server) addProcess(dir string) error {
	p, report, err := s.Program.Process(dir, s.Program.Dirs.User)
	switch {
	case err != nil:
		return err
	case p == nil:
		return fmt.Errorf("the process in %s cannot be used; see: trammel pack validate %s", dir, dir)
	case s.processes[report.ID] != nil:
		return fmt.Errorf("there are two processes with the id %s", report.ID)
	}
	if err := p.Admitted(context.Background()); err != nil {
		return err
	}
	p.Pin()
	if s.processes == nil {
		s.processes = map[string]*process.Process{}
	}
	s.processes[report.ID] = p
	return nil
}

// controlled finds a process by its id, which is optional if there is only one.
func (s *Server) controlled(id string) (*process.Process, error) {
	if p := s.processes[id]; p != nil {
		return p, nil
	}
	if id == "" && len(s.processes) == 1 {
		for _, p := range s.processes {
			return p, nil
		}
	}
	return nil, &badRequest{http.StatusNotFound, fmt.Sprintf("this server runs no process %q: see trammel serve --process", id)}
}

// control judges a control call. A refusal of the process is an answer, too.
func (s *Server) control(w http.ResponseWriter, r *http.Request) (any, error) {
	data, err := body(r)
	if err != nil {
		return nil, err
	}
	req, err := process.DecodeRequest(data)
	if err != nil {
		return nil, malformed(err.Error())
	}
	p, err := s.controlled(req.Process)
	if err != nil {
		return nil, err
	}
	actor := actorOf(auth.From(r.Context()))
	if role := req.Actor.Role; role != "" && role != actor.Role {
		return process.Response{Status: process.StatusError, Code: process.CodeActor, Process: req.Process, Run: req.Run, Decision: "denied",
			Reason: fmt.Sprintf("the caller acts as %s, not as %.40q", actor.Role, role)}, nil
	}
	if id := req.Actor.ID; id != "" && id != actor.ID {
		actor.ID += "/" + id // one of several that the caller acts for
	}
	req.Actor = actor
	return p.Control(r.Context(), req)
}

// actorOf is the role that somebody acts in: a person who has logged in is the
// user of the task, a program with a system token is the system, and everybody
// else is an agent.
func actorOf(p *auth.Person) process.Actor {
	switch {
	case strings.HasPrefix(p.Identity, auth.SystemPrefix):
		return process.Actor{ID: p.Name, Role: process.RoleSystem}
	case !p.Proved.IsZero():
		return process.Actor{ID: p.Name, Role: process.RoleUser}
	}
	return process.Actor{ID: p.Name, Role: process.RoleAgent}
}

// contract is what an agent has to know about a process.
func (s *Server) contract(_ http.ResponseWriter, r *http.Request) (any, error) {
	p, err := s.controlled(r.PathValue("process"))
	if err != nil {
		return nil, err
	}
	return p.Contract(), nil
}
