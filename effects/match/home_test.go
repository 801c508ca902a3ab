package match

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// A rule about ~/ holds in every home directory of the account and under every
// name of it: $HOME may have been moved, and links may be on the way.
func TestHomes(t *testing.T) {
	moved := &world.Frozen{HomeDir: "/moved", AccountDir: "/home/me", UserName: "me", Files: map[string]string{
		"/home/me/.ssh/id": "k", "/moved/.ssh/id": "k", "/home/me/.netrc": "k", "/p/": ""}}
	linked := &world.Frozen{HomeDir: "/home/me", UserName: "me", Links: map[string]string{"/home": "usr/home", "/p/up": "/usr/home"},
		Files: map[string]string{"/usr/home/me/.ssh/id": "k", "/usr/home/me/.netrc": "k", "/p/": ""}}
	dotfiles := &world.Frozen{HomeDir: "/home/me", UserName: "me", Links: map[string]string{"/home/me/.ssh": "dot/ssh",
		"/home/me/.netrc": "dot/netrc"},
		Files: map[string]string{"/home/me/dot/ssh/id": "k", "/home/me/dot/netrc": "k", "/home/me/dot/vimrc": "k", "/p/": ""}}
	for _, tc := range []struct {
		world *world.Frozen
		line  string
		want  bool
	}{
		{moved, "cat ~/.ssh/id", true},
		{moved, "cat /moved/.ssh/id", true},
		{moved, "cat /home/me/.ssh/id", true},
		{moved, "cat ~me/.ssh/id", true},
		{moved, "unset HOME; cat ~/.ssh/id", true},
		{moved, "env -u HOME bash -c 'cat ~/.ssh/id'", true},
		{moved, "HOME=/home/me; cat ~/.ssh/id", true},
		{moved, "HOME=/x; cat ~/.ssh/id", false},
		{moved, "cd ~me; cat .ssh/id", true},
		{moved, "cd ~me; cd /; cat $OLDPWD/.netrc", true},
		{moved, "cd ~me; cat /proc/self/cwd/.ssh/id", true},
		{moved, "cat /proc/self/root/home/me/.ssh/id", true},
		{moved, "cat /home/me/.ssh/*", true},
		{moved, "tar c /home/me", true},
		{moved, "cat /home/other/.ssh/id", false},
		{moved, "cat /home/me/.sshx", false},
		{linked, "cat ~/.ssh/id", true},
		{linked, "cat /home/me/.ssh/id", true},
		{linked, "cat /usr/home/me/.ssh/id", true},
		{linked, "cat /usr/home/me/.netrc", true},
		{linked, "cat up/me/.ssh/id", true},
		{linked, "cat up/me/.ssh/*", true},
		{linked, "tar c /usr/home", true},
		{linked, "cat /usr/home/you/.ssh/id", false},
		{dotfiles, "cat ~/.ssh/id", true},
		{dotfiles, "cat ~/dot/ssh/id", true},
		{dotfiles, "cat ~/dot/netrc", true},
		{dotfiles, "cat ~/dot/vimrc", false},
	} {
		ev := shellEvent(tc.line)
		ev.World, ev.Session.Dir, ev.Session.Project = tc.world, "/p", "/p"
		rule := &Spec{Actions: []trammel.ActionKind{trammel.ReadAction}, Paths: []string{"~/.ssh/**", "~/.netrc"}}
		if got := rule.Holds(ev); got != tc.want {
			t.Errorf("HOME=%s, %s: got %v, want %v", tc.world.HomeDir, tc.line, got, tc.want)
		}
	}
}

// The same is true of relative and absolute globs that lead over a link.
func TestGlobsFollowLinks(t *testing.T) {
	w := &world.Frozen{Links: map[string]string{"/etc": "private/etc", "/p/conf": "/shared/conf", "/q": "/p"},
		Files: map[string]string{"/private/etc/passwd": "x", "/shared/conf/live/a": "x", "/p/a": "x"}}
	for _, tc := range []struct {
		project, glob, line string
		want                bool
	}{
		{"/p", "/etc/**", "cat /etc/passwd", true},
		{"/p", "/etc/passwd", "cat /private/etc/passwd", true},
		{"/p", "conf/live/**", "cat conf/live/a", true},
		{"/p", "conf/*/a", "cat /shared/conf/live/a", true},
		{"/q", "./a", "cat a", true},
		{"/q", "./a", "cat /p/a", true},
		{"/p", "conf/live/*", "cat /shared/conf/a", false},
	} {
		ev := shellEvent(tc.line)
		ev.World, ev.Session.Dir, ev.Session.Project = w, tc.project, tc.project
		if got := (&Spec{Paths: []string{tc.glob}}).Holds(ev); got != tc.want {
			t.Errorf("%s on %s in %s: got %v, want %v", tc.glob, tc.line, tc.project, got, tc.want)
		}
	}
}

// An agent that can make a link cannot make exceptions with it.
func TestExceptionsDoNotFollowLinks(t *testing.T) {
	w := &world.Frozen{HomeDir: "/home/me", Links: map[string]string{"/p/open": "/home/me/.ssh", "/home": "/usr/home"},
		Files: map[string]string{"/usr/home/me/.ssh/id": "k"}}
	g := In(w, "/p")
	for file, want := range map[string]bool{"/p/open/a": true, "/usr/home/me/.ssh/id": false, "/home/me/.ssh/id": false,
		"/home/me/work/a": true, "/usr/home/me/work/a": true} {
		if got := g.Permits([]string{"open/**", "~/work/**"}, file); got != want {
			t.Errorf("%s is permitted: %v, want %v", file, got, want)
		}
		if got := g.Match([]string{"**", "!open/**", "!~/work/**"}, file); got == want {
			t.Errorf("%s is matched: %v, want %v", file, got, !want)
		}
	}
	if !g.Permits([]string{"!open/**"}, "/p/a") || g.Permits([]string{"!open/**"}, "/usr/home/me/.ssh/id") || g.Permits(nil, "/p/a") {
		t.Error("exclusions alone do not permit everything else")
	}
}
