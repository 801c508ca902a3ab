// Package environments knows which of several environments a run is meant for: that
// of the tests, or production.
package environments

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// Test reports whether a run says that it means the database of the tests.
func Test(r *model.Run) bool {
	test := false
	for _, e := range r.Env {
		test = test || named(e.Name) && e.Value.Known && e.Value.Text == "test"
		if host, _ := paths.HostOf(e.Value.Text); e.Name == "DATABASE_URL" && !(e.Value.Known && (host == "" || hostname.Local(host))) {
			return false // it wins over what the framework's settings say
		}
	}
	if test {
		return true
	}
	for _, a := range r.Args {
		if a.Text == "--env=test" || a.Text == "--env=testing" || a.Text == "--database=testing" || strings.HasSuffix(a.Text, "_ENV=test") {
			return !Production(r)
		}
	}
	return false
}

// Here reports whether a run talks to servers on this machine and to no other, and says
// so itself: psql -h localhost.
func Here(set *effects.Set, run int) bool {
	if run < 0 || set.Runs[run].Remote || slices.ContainsFunc(set.Runs[run].Args, func(a effects.Word) bool { return !a.Known }) {
		return false
	}
	here := false
	for _, n := range set.Nets {
		if n.Run == run && !hostname.Local(n.Host) {
			return false
		}
		here = here || n.Run == run
	}
	return here
}

// Production reports whether a run says that it means production.
func Production(r *model.Run) bool {
	for _, e := range r.Env {
		switch {
		case named(e.Name):
			if strings.HasPrefix(strings.ToLower(e.Value.Text), "prod") {
				return true
			}
		case e.Name == "DISABLE_DATABASE_ENVIRONMENT_CHECK":
			return true
		case e.Name == "PGHOST" && !(e.Value.Known && (hostname.Local(e.Value.Text) || strings.HasPrefix(e.Value.Text, "/"))):
			return true
		}
	}
	for _, a := range r.Args {
		if strings.HasPrefix(a.Text, "DISABLE_DATABASE_ENVIRONMENT_CHECK=") ||
			live(a.Text) {
			return true
		}
	}
	return false
}

// live reports whether a name says that it is what customers use, and not only a
// test of it. A file is not meant: prod.dump may be loaded anywhere.
func live(name string) bool {
	words := words.Of(strings.ReplaceAll(name, "=", "_"))
	has := func(word string) bool { return slices.Contains(words, word) }
	return !strings.ContainsAny(name, "./") && (has("prod") || has("production")) && !has("test") && !has("testing")
}

// named reports whether a variable says which of several environments is
// meant.
func named(name string) bool {
	return slices.Contains([]string{"RAILS_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "RACK_ENV", "DJANGO_ENV", "FLASK_ENV",
		"ENVIRONMENT", "ENV"}, name)
}
