// Package dockeragent is the dialect of docker-agent: for docker-agent itself,
// whose command hooks may be trammel-hook on any event (DA-61), and for hook
// programs that were written for it and now run under any host.
//
// Where the released system and its contract of September 2026 differ, the
// contract is followed, in forms that the released system accepts too: all
// arguments are sent back, because one merges them and the other replaces them,
// and a tool call is denied by permission_decision, because on the lane that
// runs before its rules the released system looks at nothing else.
//
// That lane is the one that is wired, because the other is skipped under
// --yolo. It ignores new arguments, and no payload tells the lanes apart: so a
// rewrite before a call is a denial with the corrected call.
package dockeragent

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about docker-agent (DA-01). It discards context around
// a tool call and at a stop, and only shows a block there. When it is about to
// ask and gets no answer, it asks.
//
// Every event is wired that all known versions have, because it skips a file
// with an event that it does not know. The newer ones are in a separate file,
// so that an older version skips only that file.
var Host = dialects.Host{System: "docker-agent", About: &about, Tools: tools,
	Wiring: []dialects.File{
		{User: "hooks.d/trammel.yaml", Named: true, Text: dropIn, Except: newer},
		{User: "hooks.d/trammel-newer.yaml", Named: true, Text: dropIn, Only: newer},
	},
}

// newer are the events that older versions do not have.
var newer = []string{"user_steering_messages_submit", "user_followup_submit", "worktree_create"}
