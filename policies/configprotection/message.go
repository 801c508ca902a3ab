package configprotection

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// never ends every reason, because disabling the hook is the easiest way around it.
const never = "Never disable this hook to make the change."

// reasons say, for each group, what was refused, why, and what to do instead.
var reasons = [...]string{
	rules: "Modifying FILE is not allowed: it holds the rules that the code is checked by. Fix the source so that it satisfies them " +
		"instead of weakening them. If a rule itself is wrong, say which and why, and let a person change it.",
	section: "This edit of FILE changes rules that the code is checked by (its linter, formatter or type checker settings). Fix the " +
		"source instead; the rest of FILE is free to edit.",
	profile: "Modifying FILE is not allowed: every shell of this user reads it first, so it reaches far beyond this task. Set what a " +
		"command needs on the command itself, or tell the person what to add.",
	wiring: "Writing to FILE is not allowed: it decides which hooks an agent calls. Ask the person to change it.",
	sidecar: "Writing to FILE is not allowed: the workflow's gates trust this state. Move it on with the workflow's own command: " +
		"npm run workflow:sidecar -- advance-state.",
	pointer: "Writing to FILE is not allowed: it says which workflow is active. Use the workflow's own command: " +
		"npm run workflow:sidecar -- ensure-session.",
	claims: "Writing to FILE is not allowed: it holds what was verified, and only checks that ran may add to it: " +
		"npm run workflow:sidecar -- record-gate-claim.",
	record: "Writing to FILE is not allowed: it is the record that hooks keep themselves. Run the command that should be in it.",
	delivery: "Writing to FILE is not allowed: a delivery is anchored to it. Use the workflow's own command: " +
		"npm run workflow:sidecar -- publish-delivery.",
	gitHooks: "Modifying FILE is not allowed: it decides which verification hooks git runs. Fix what the hooks report, or ask the " +
		"person to change them.",
	named: "Modifying FILE is not allowed: config-protection protects it. Do the task without changing it, or ask the person.",
}

func reason(g group, place string) string {
	return "BLOCKED: " + strings.ReplaceAll(reasons[g], "FILE", path.Base(filepath.ToSlash(place))) + " " + never
}

func bypassReason(what string) string {
	return fmt.Sprintf("BLOCKED: %q bypasses git's verification hooks. Run git without that, read what the hooks report, and fix it. %s",
		what, never)
}
