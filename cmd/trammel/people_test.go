package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/people"
)

// vote setup | wait | approve [HOST] | deny REASON | edit ARGS: what a person does
// who knows the authority secret. It waits for a request (of the agent HOST). The identity of the key that
// setup makes is in $AUTHORITY; with $PERSON it belongs to somebody of that name.
func vote(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: vote setup|wait|approve [HOST]|deny REASON|edit ARGS")
	}
	state := filepath.Join(ts.Getenv("HOME"), ".local", "state", "trammel")
	if args[0] == "setup" {
		ts.Check(os.MkdirAll(state, 0o700))
		identity, err := people.SetUp(state)
		ts.Check(err)
		ts.Setenv("AUTHORITY", identity)
		return
	}
	d := people.Decision{Approve: args[0] != "deny"}
	ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
	defer stop()
	switch {
	case args[0] == "wait":
		ts.Check(people.Wait(ctx, state))
		return
	case args[0] == "approve" && len(args) > 1:
		d.Host = args[1]
	case args[0] == "deny":
		d.Comment = args[1]
	case args[0] == "edit":
		d.Edit = func(a *store.Approval) (*store.Edit, error) {
			user := filepath.Join(ts.Getenv("HOME"), ".config", "trammel")
			return full.New(trammel.Dirs{State: state, Cache: filepath.Join(state, "cache"), User: user}).Edit(ctx, a, []byte(args[1]))
		}
	}
	var settings approvals.Settings
	if name := ts.Getenv("PERSON"); name != "" {
		settings.People = map[string][]string{name: {ts.Getenv("AUTHORITY")}}
		settings.Groups = map[string][]string{"finance": {name}}
	}
	a, err := people.Decide(ctx, state, settings, d)
	if err != nil {
		ts.Fatalf("%v", err)
	}
	ts.Logf("%s is %s", a.ID, a.State)
}
