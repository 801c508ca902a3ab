// Package git runs git on an untrusted repository: its own
// configuration must not make it run anything. No hooks, no monitors, no
// filters, no pagers, no network, no variables of the host.
package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// Root is the nearest directory from dir upwards that holds a repository, ""
// if there is none. It starts nothing.
func Root(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// Repo is where git runs.
type Repo struct {
	Dir string
	// Shadow is a repository apart from the one in Dir, that tracks the same
	// files separately. With one, the configuration of the user and the machine
	// is ignored.
	Shadow string
	// Index is another index than the repository's own.
	Index string
}

// Output runs git and returns what it printed, of which at most most bytes are
// kept; truncated says that there was more.
func (r Repo) Output(ctx context.Context, most int, stdin []byte, args ...string) (out []byte, truncated bool, err error) {
	env := r.environ()
	if r.Shadow == "" {
		filters, err := r.filters(ctx, env)
		if err != nil {
			return nil, false, err
		}
		env = append(env, filters...)
	}
	return r.run(ctx, env, most, stdin, args)
}

func (r Repo) run(ctx context.Context, env []string, most int, stdin []byte, args []string) ([]byte, bool, error) {
	argv := append([]string{"git", "--no-pager", "--literal-pathspecs"}, settings()...)
	result, err := procgroup.Run(ctx, procgroup.Command{Args: append(argv, args...), Dir: r.Dir, Env: env, Stdin: stdin, MaxOutput: most})
	switch {
	case err != nil:
		return nil, false, err
	case result.Exit != 0 || result.Signal != "":
		return nil, false, &Error{Command: args[0], Exit: result.Exit, Said: strings.TrimSpace(string(result.Stderr))}
	}
	return result.Stdout, result.TruncatedOut, nil
}

// Error is how git failed.
type Error struct {
	Command string
	Exit    int
	Said    string
}

func (e *Error) Error() string {
	said := e.Said
	if len(said) > 300 {
		said = said[:300]
	}
	return fmt.Sprintf("git %s ended with exit code %d: %s", e.Command, e.Exit, strings.ToValidUTF8(said, "\uFFFD"))
}

// settings switch off whatever a repository's configuration could start.
func settings() []string {
	var out []string
	for _, s := range [...]string{
		"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.pager=cat", "core.editor=false", "core.askPass=", "core.sshCommand=false",
		"core.alternateRefsCommand=", "core.quotePath=false", "credential.helper=", "protocol.allow=never", "diff.external=",
		"log.showSignature=false",
		"gc.auto=0", "maintenance.auto=false", "submodule.recurse=false", "status.submoduleSummary=false", "safe.bareRepository=explicit",
		"color.ui=false",
		"core.untrackedCache=false", "core.splitIndex=false", "advice.addEmbeddedRepo=false",
	} {
		out = append(out, "-c", s)
	}
	return out
}

// environ is the environment without what steers git.
func (r Repo) environ() []string {
	var env []string
	for _, name := range [...]string{"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "SYSTEMROOT", "USERPROFILE", "TEMP", "TMP"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, "LC_ALL=C.UTF-8", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ASKPASS=")
	if r.Shadow != "" {
		env = append(env, "GIT_DIR="+r.Shadow, "GIT_WORK_TREE="+r.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_OPTIONAL_LOCKS=1",
			"GIT_AUTHOR_NAME=trammel", "GIT_AUTHOR_EMAIL=trammel@localhost", "GIT_COMMITTER_NAME=trammel", "GIT_COMMITTER_EMAIL=trammel@localhost")
	}
	if r.Index != "" {
		env = append(env, "GIT_INDEX_FILE="+r.Index)
	}
	return env
}

// filters are variables that switch off the programs that the configuration
// puts between a file and its stored form. They are called by names of the
// repository's choice, so they have to be listed first.
func (r Repo) filters(ctx context.Context, env []string) ([]string, error) {
	out, _, err := r.run(ctx, env, 64<<10, nil, []string{"config", "--name-only", "-z", "--get-regexp", `^filter\.`})
	if e, ok := err.(*Error); ok && e.Exit == 1 { // there are no filters
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var set []string
	seen := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		last := strings.LastIndexByte(name, '.')
		if last <= len("filter.") || seen[name[:last]] {
			continue
		}
		seen[name[:last]] = true
		for _, key := range [...]string{".clean", ".smudge", ".process"} {
			set = append(set, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", len(set)/2, name[:last]+key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=", len(set)/2))
		}
		set = append(set, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s.required", len(set)/2, name[:last]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=false",
			len(set)/2))
	}
	if len(seen) > 64 {
		return nil, trammel.Fail(trammel.CodeError, "the repository configures %d filters", len(seen))
	}
	return append(set, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(set)/2)), nil
}
