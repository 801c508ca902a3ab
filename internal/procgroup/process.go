package procgroup

import (
	"errors"
	"os"
	"os/exec"
	"sync"

	"github.com/trammel-dev/trammel"
)

// ErrNotFound is wrapped by the error of Start if there is no such program.
var ErrNotFound = errors.New("program not found")

// Process is a program that keeps running, in its own group. The caller uses
// our ends of its three descriptors, which Close closes; it has no others.
type Process struct {
	Stdin          *os.File
	Stdout, Stderr *os.File

	cmd    *exec.Cmd
	group  *group
	ended  chan struct{}
	mu     sync.Mutex
	reaped bool
}

// Start starts the command; Stdin, Line and MaxOutput of it are not used.
// memory bounds the data of each of its processes, in bytes: on Linux what it
// may write to privately (RLIMIT_DATA), on Windows what it commits. Other
// systems have no reliable limit, so there it is not limited.
func Start(c Command, memory int64) (*Process, error) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would mean all of ours
	}
	p := &Process{cmd: cmd, ended: make(chan struct{})}
	theirs, err := p.connect()
	if err != nil {
		return nil, trammel.Fail(trammel.CodeUnavailable, "cannot start %s: %w", c.Args[0], err)
	}
	err = p.start(memory)
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		p.closeFiles()
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			err = ErrNotFound
		}
		return nil, trammel.Fail(trammel.CodeUnavailable, "cannot start %s: %w", c.Args[0], err)
	}
	go p.wait()
	return p, nil
}

// connect makes three pipes and returns the program's ends.
func (p *Process) connect() (theirs []*os.File, err error) {
	defer func() {
		if err != nil {
			p.closeFiles()
			for _, f := range theirs {
				f.Close()
			}
		}
	}()
	for i, ours := range []**os.File{&p.Stdin, &p.Stdout, &p.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		mine, other := r, w
		if i == 0 {
			mine, other = w, r
		}
		*ours = mine
		theirs = append(theirs, other)
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	return theirs, nil
}

func (p *Process) start(memory int64) (err error) {
	if p.group, err = newGroup(p.cmd, ""); err != nil {
		return err
	}
	if err = p.cmd.Start(); err != nil {
		p.group.close()
		return err
	}
	if memory > 0 {
		err = p.group.limit(memory)
	}
	if err == nil {
		err = p.group.started()
	}
	if err != nil {
		p.group.kill()
		p.cmd.Wait()
		p.group.close()
	}
	return err
}

// wait ends what the program left running as soon as the program has ended.
func (p *Process) wait() {
	p.cmd.Wait()
	p.mu.Lock()
	p.group.kill()
	p.group.close()
	p.reaped = true
	p.mu.Unlock()
	close(p.ended)
}

// Ended is closed when the program has ended and its group with it.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Exit says how the program ended, once it has.
func (p *Process) Exit() (code int, signal string) {
	return p.cmd.ProcessState.ExitCode(), signalOf(p.cmd.ProcessState)
}

// Kill ends the group at once, without asking it. It does not wait.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.group.kill()
	}
}

// Terminate asks the group to end, where the system has a way to ask; elsewhere
// it is killed. It does not wait.
func (p *Process) Terminate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.group.terminate()
	}
}

// Close kills the group, waits for its end and closes our descriptors.
func (p *Process) Close() {
	p.Kill()
	<-p.ended
	p.closeFiles()
}

func (p *Process) closeFiles() {
	for _, f := range []*os.File{p.Stdin, p.Stdout, p.Stderr} {
		if f != nil {
			f.Close()
		}
	}
}
