package effects_test

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/world"
)

// What a call does, on a machine that is given as data.
func ExampleOf() {
	ev := &trammel.Event{
		Session: trammel.Session{Dir: "/home/ann/shop"},
		World:   &world.Frozen{HomeDir: "/home/ann", Env: map[string]string{"OUT": "/srv/out"}},
		Tool:    &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": `cd ~ && sudo sh -c "rm -rf $OUT; $NEXT"`}},
	}
	ev.Prepare()
	set := effects.Of(ev)
	for _, run := range set.Runs {
		fmt.Printf("runs %q, root %v\n", run.Program, run.Root)
	}
	for _, f := range set.Files {
		fmt.Println(f.Op, f.Path.Abs, "by", set.Runs[f.Run].Program)
	}
	for _, d := range set.Doubts {
		fmt.Println("unknown:", d.Code, d.What)
	}
	// Output:
	// runs "cd", root false
	// runs "sudo", root false
	// runs "sh", root true
	// runs "rm", root true
	// runs "", root true
	// delete /srv/out by rm
	// unknown: code rm -rf /srv/out; $NEXT
	// unknown: program $NEXT
}
