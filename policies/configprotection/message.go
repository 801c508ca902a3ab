package configprotection

import (
	"fmt"
	"path"
	"path/filepath"
)

// never ends every reason: the shortest way around a rule is to switch it off.
const never = "Never disable this hook to make the change."

// reason says what was refused, why, and what to do instead.
func reason(g group, place string) string {
	base := path.Base(filepath.ToSlash(place))
	switch g {
	case rules:
		return fmt.Sprintf("BLOCKED: Modifying %s is not allowed: it holds the rules that the code is checked by. Fix the source so that it "+
			"satisfies them instead of weakening them. "+
			"If a rule itself is wrong, say which and why, and let a person change it. %s", base, never)
	case section:
		return fmt.Sprintf("BLOCKED: This edit of %s changes rules that the code is checked by (its linter, formatter or type checker "+
			"settings). Fix the source instead; the rest of %s is free to edit. %s", base, base, never)
	case profile:
		return fmt.Sprintf("BLOCKED: Modifying %s is not allowed: every shell of this user reads it first, so it reaches far beyond this task. "+
			"Set what a command needs on the command itself, "+
			"or tell the person what to add. %s", base, never)
	case wiring:
		return fmt.Sprintf("BLOCKED: Writing to %s is not allowed: it decides which hooks an agent calls. Ask the person to change it. %s",
			base, never)
	case sidecar:
		return fmt.Sprintf("BLOCKED: Writing to %s is not allowed: the workflow's gates trust this state. Move it on with the workflow's own "+
			"command: npm run workflow:sidecar -- advance-state. %s", base, never)
	case pointer:
		return fmt.Sprintf("BLOCKED: Writing to %s is not allowed: it says which workflow is active. Use the workflow's own command: npm run "+
			"workflow:sidecar -- ensure-session. %s", base, never)
	case claims:
		return fmt.Sprintf("BLOCKED: Writing to %s is not allowed: it holds what was verified, and only checks that ran may add to it: npm run "+
			"workflow:sidecar -- record-gate-claim. %s", base, never)
	case record:
		return fmt.Sprintf("BLOCKED: Writing to %s is not allowed: it is the record that hooks keep themselves. Run the command that "+
			"should be in it. %s", base, never)
	case delivery:
		return fmt.Sprintf("BLOCKED: Writing to %s is not allowed: a delivery is anchored to it. Use the workflow's own command: npm run "+
			"workflow:sidecar -- publish-delivery. %s", base, never)
	case gitHooks:
		return fmt.Sprintf("BLOCKED: Modifying %s is not allowed: it decides which verification hooks git runs. Fix what the hooks report, or "+
			"ask the person to change them. %s", base, never)
	}
	return fmt.Sprintf("BLOCKED: Modifying %s is not allowed: this project's configuration protects it. Do the task without changing it, or "+
		"ask the person. %s", base, never)
}

func bypassReason(what string) string {
	return fmt.Sprintf("BLOCKED: %q bypasses git's verification hooks. Run git without that, read what the hooks report, and fix it. %s",
		what, never)
}
