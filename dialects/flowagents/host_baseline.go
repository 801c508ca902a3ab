package flowagents

import (
	"strings"

	"github.com/trammel-dev/trammel/dialects"
)

// surface is the policies that callers of this contract expect to run, whether
// or not they are configured.
var surface = [...]string{"config-protection", "workflow-steering", "quality-gate", "evidence-capture", "stop-goal-fit"}

// telemetry is the policy that reports what happens on the surface.
const telemetry = "telemetry"

// EventOf is the event that a policy of the surface is for, "" for all others.
// It is used if a payload does not name its event.
func EventOf(policy string) string {
	switch policy {
	case "config-protection":
		return "PreToolUse"
	case "quality-gate", "evidence-capture":
		return "PostToolUse"
	case "workflow-steering":
		return "UserPromptSubmit"
	case "stop-goal-fit":
		return "Stop"
	}
	return ""
}

// Baseline is the policies of the surface that run (FLOW-40, FLOW-41).
func (dialect) Baseline(s dialects.Switches) []dialects.Use {
	profile, disabled := s.Profile, s.Disabled
	if profile == "" {
		profile = s.Getenv("SA_HOOK_PROFILE")
	}
	disabled += "," + s.Getenv("SA_DISABLED_HOOKS")
	var out []dialects.Use
	if !s.Called && !Disabled(disabled, telemetry) { // it runs at every profile (FLOW-10)
		out = append(out, dialects.Use{Policy: telemetry, With: with(telemetry, profile, s.Fixed)})
	}
	for _, policy := range surface {
		if s.Called || Runs(profile, "") && !Disabled(disabled, policy) {
			out = append(out, dialects.Use{Policy: policy, With: with(policy, profile, s.Fixed)})
		}
	}
	return out
}

// with are the options of a policy of the surface. If the environment is
// ignored, the policy ignores it, too; with the strict profile the quality gate
// reports.
func with(policy, profile string, fixed bool) []byte {
	var options []string
	switch policy {
	case telemetry:
		if fixed {
			options = append(options, `"ignore_environment":true`)
		}
	case "quality-gate":
		if profile == "strict" {
			options = append(options, `"strict":true`)
		}
		fallthrough
	case "stop-goal-fit":
		if fixed {
			options = append(options, `"environment":false`)
		}
	}
	if len(options) == 0 {
		return nil
	}
	return []byte("{" + strings.Join(options, ",") + "}")
}

// Runs reports whether a hook that is meant for these profiles runs at one.
// Without a known profile, hooks are meant for standard and strict; strict runs
// everything.
func Runs(profile, meantFor string) bool {
	profile = oneOfThree(profile, "standard")
	if profile == "strict" {
		return true
	}
	any := false
	for name := range strings.SplitSeq(meantFor, ",") {
		name = oneOfThree(name, "")
		any = any || name != ""
		if name == profile {
			return true
		}
	}
	return !any && profile == "standard"
}

// oneOfThree is a profile, or something else if it is unknown.
func oneOfThree(name, otherwise string) string {
	switch name = strings.ToLower(strings.TrimSpace(name)); name {
	case "minimal", "standard", "strict":
		return name
	}
	return otherwise
}

// Disabled reports whether a hook is on a list of disabled ones. Hosts have two
// spellings of its id, "config-protection" and "pre:config-protection", and
// "goal-fit" for "stop-goal-fit"; each stands for all of them.
func Disabled(list, id string) bool {
	for name := range strings.SplitSeq(list, ",") {
		if name = bare(name); name != "" && name == bare(id) {
			return true
		}
	}
	return false
}

func bare(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	if _, rest, ok := strings.Cut(id, ":"); ok {
		id = rest
	}
	if id == "goal-fit" {
		id = "stop-goal-fit"
	}
	return id
}
