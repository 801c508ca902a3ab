package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/liveness"
)

// wiringFlags say which hosts a command is about, and in which scope.
type wiringFlags struct {
	hosts []string
	scope string
	hook  string

	missing     string // of init
	dryRun, yes bool   // of the commands that change something
	diff        bool   // the same
	json        *bool

	authority *[]string // of the commands that verify the evidence
}

func (f *wiringFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.hosts, "host", nil, "the agents, by name (default: all that are installed)")
	cmd.Flags().StringVar(&f.scope, "scope", "user", "whose sessions: user or project (init also: machine)")
	cmd.Flags().StringVar(&f.hook, "hook", "", "the trammel-hook to call (default: the one next to this program)")
}

func (f *wiringFlags) addConsent(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only show what would be done")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "show every line that is removed or added")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	f.json = cli.JSONFlag(cmd)
}

// wiring is a machine with its agents.
type wiring struct {
	env  install.Env
	dirs layers.Dirs
	opts install.Options
}

// open prepares the wiring of the agents that flags or arguments name.
func (f *wiringFlags) open(args []string) (*wiring, error) {
	given := append(f.hosts, args...)
	f.hosts = nil
	for _, name := range given {
		h, err := install.Find(name)
		if err != nil {
			return nil, cli.Usagef("%w", err)
		}
		if !slices.Contains(f.hosts, h.System) { // "claude" and "claude-code" are one
			f.hosts = append(f.hosts, h.System)
		}
	}
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("%w; set it: the agents' settings are in the home directory", err)
	}
	project, err := filepath.Abs("")
	if err != nil {
		return nil, err
	}
	if f.scope != string(install.User) && f.scope != string(install.Project) {
		return nil, cli.Usagef("--scope is %q, expected user or project; init also takes machine", f.scope)
	}
	if err := install.Missing(f.missing).Check(); err != nil {
		return nil, cli.Usagef("--%w", err)
	}
	if f.missing != "" && f.scope != string(install.Project) {
		return nil, cli.Usagef("--missing is for --scope project: a user's settings name the program by its path")
	}
	if f.hook == "" {
		if f.hook, err = hookBeside(); err != nil {
			return nil, err
		}
	}
	hook, err := filepath.Abs(f.hook)
	if err != nil {
		return nil, err
	}
	return &wiring{
		env: install.Env{Home: home, State: dirs.State, GOOS: runtime.GOOS, Root: filepath.VolumeName(dirs.State) + string(filepath.Separator),
			Getenv: os.Getenv, LookPath: exec.LookPath},
		dirs: dirs,
		opts: install.Options{Scope: install.Scope(f.scope), Project: layers.Root(dirs, project), Hook: hook, UserConfig: dirs.User,
			Missing: install.Missing(f.missing)},
	}, nil
}

// otherHome says that HOME is not where Trammel has its own files; "" if it is.
// The agents' settings are below HOME, as the agents look for them there.
func otherHome(home string, dirs layers.Dirs) string {
	if up, err := filepath.Rel(home, dirs.User); dirs.Named || err == nil && filepath.IsLocal(up) {
		return ""
	}
	return fmt.Sprintf("note: HOME is %s, and no variable moves Trammel's rules and records: they are in %s and %s, for every HOME; "+
		"to have others, name both: trammel --user-config DIR --state DIR init", home, dirs.User, dirs.State)
}

// names are the hosts that were asked for, or those that are installed.
func (f *wiringFlags) names(w *wiring) []string {
	if len(f.hosts) > 0 {
		return f.hosts
	}
	var names []string
	for _, found := range install.Detect(w.env) {
		names = append(names, found.Host.System)
	}
	return names
}

// hookBeside is the trammel-hook in the directory of this program: an absolute
// path, so that a changed PATH cannot disable the guard.
func hookBeside() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return beside(self, "trammel-hook"), nil
}

// beside is the program with this name in the directory of another program.
func beside(program, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(program), name)
}

// Status says for liveness how a host is wired, in the user's settings or the
// project's.
func (w *wiring) Status(host string) (liveness.WiringStatus, error) {
	var out liveness.WiringStatus
	for _, f := range install.Detect(w.env) {
		if f.Host.System == host {
			out.Installed, out.Version = true, f.Version
		}
	}
	if fi, err := os.Stat(filepath.Join(w.dirs.State, "install", host+"-user.json")); err == nil {
		out.Since = fi.ModTime()
	}
	out.Servers = w.namedServers(host)
	for _, c := range install.Exposed(w.env, host) {
		out.Exposed = append(out.Exposed, fmt.Sprintf("%s: %s", c.Path, c.Detail))
	}
	opts := w.opts
	var first error
	for _, scope := range []install.Scope{install.User, install.Project} {
		opts.Scope = scope
		rep, err := install.Status(w.env, host, opts)
		if err != nil {
			first = err
			continue
		}
		hook := w.opts.Hook
		if scope == install.Project {
			if rep.State == install.NotWired || out.Current {
				continue
			}
			if !out.Present { // what is missing from the user's settings does not matter
				out.Notes = nil
			}
			hook = "trammel-hook" // the project's settings call the one on the PATH
		}
		take(&out, rep)
		if path, err := w.env.LookPath(hook); err == nil {
			hook = path
		} else {
			out.Executable = false
		}
		out.Programs = []string{hook, beside(hook, "trammel")}
	}
	if out.Notes == nil && !out.Parsed && first != nil {
		return out, first
	}
	return out, nil
}

// namedServers are the MCP servers of a host, the user's and the project's. A
// file that cannot be read is reported elsewhere.
func (w *wiring) namedServers(host string) (out []liveness.Server) {
	opts := w.opts
	for _, scope := range []install.Scope{install.User, install.Project} {
		opts.Scope = scope
		list, _ := install.Servers(w.env, host, opts)
		for _, s := range list {
			s.Project = scope == install.Project
			out = append(out, liveness.Server(s))
		}
	}
	return out
}

func take(out *liveness.WiringStatus, rep *install.Report) {
	out.Present = rep.State == install.Wired || rep.State == install.Changed
	out.Parsed = rep.State != install.Unparseable
	out.Current = rep.State == install.Wired
	for _, c := range rep.Checks {
		switch {
		case c.Name == "hook":
			out.Executable = c.OK
		case c.Name == "enabled" && !c.OK:
			out.Locked = append(out.Locked, fmt.Sprintf("%s: %s", c.Path, c.Detail))
			continue
		}
		if !c.OK && c.Detail != "" {
			out.Notes = append(out.Notes, fmt.Sprintf("%s: %s", c.Path, c.Detail))
		}
	}
	if h := standard.Host(rep.Host); h != nil && h.Facts().Consent && out.Present {
		out.ConsentNeeded = true
	}
}
