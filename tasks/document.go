package tasks

import (
	"fmt"
	"strings"
	"time"
)

// document is tool_call.md, which describes the task to people and models that open
// the folder. No program reads it.
func (t *Task) document() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", t.Key)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "- %s: %s\n", name, strings.Join(strings.Fields(value), " "))
		}
	}
	row("ability", "`"+t.AbilityID+"` ("+t.Kind+")")
	row("environment", t.Environment)
	row("state", string(t.State))
	row("reason", t.Reason)
	row("created", t.CreatedAt.Format(time.RFC3339)+" by "+t.Source)
	row("runs", fmt.Sprint(t.Runs))
	if t.Last != nil && t.Last.Error != nil {
		row("last error", t.Last.Error.Message)
	}
	fmt.Fprintf(&b, "\nThe arguments are in `input.json`, each run is in `runs/`. The hooks judge every run again.\n\n```sh\n"+
		"trammel task run %s\ntrammel task update %s --input '{…}'\n```\n", t.Key, t.Key)
	return []byte(b.String())
}
