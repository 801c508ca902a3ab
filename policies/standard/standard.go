// Package standard decides which built-in policies both programs link: one
// line each.
package standard

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/additions"
	"github.com/trammel-dev/trammel/policies/auditlog"
	"github.com/trammel-dev/trammel/policies/budget"
	"github.com/trammel-dev/trammel/policies/cacheresponse"
	"github.com/trammel-dev/trammel/policies/configprotection"
	"github.com/trammel-dev/trammel/policies/eliderepeatedtoolresults"
	"github.com/trammel-dev/trammel/policies/evidencecapture"
	"github.com/trammel-dev/trammel/policies/loopdetector"
	"github.com/trammel-dev/trammel/policies/maxiterations"
	"github.com/trammel-dev/trammel/policies/mcpguard"
	"github.com/trammel-dev/trammel/policies/netguard"
	"github.com/trammel-dev/trammel/policies/outputguard"
	"github.com/trammel-dev/trammel/policies/pathguard"
	"github.com/trammel-dev/trammel/policies/prodconfigguard"
	"github.com/trammel-dev/trammel/policies/qualitygate"
	"github.com/trammel-dev/trammel/policies/ratelimit"
	"github.com/trammel-dev/trammel/policies/readonly"
	"github.com/trammel-dev/trammel/policies/redactsecrets"
	"github.com/trammel-dev/trammel/policies/secrets"
	"github.com/trammel-dev/trammel/policies/selfprotection"
	"github.com/trammel-dev/trammel/policies/shellguard"
	"github.com/trammel-dev/trammel/policies/shorten"
	"github.com/trammel-dev/trammel/policies/snapshot"
	"github.com/trammel-dev/trammel/policies/stopgoalfit"
	"github.com/trammel-dev/trammel/policies/telemetry"
	"github.com/trammel-dev/trammel/policies/usagetracker"
	"github.com/trammel-dev/trammel/policies/workflowsteering"
)

// All are the built-in policies that both programs link.
var All = [...]trammel.Listed{
	{Name: "add_recent_commits", Policy: additions.Commits}, {Name: "add_date", Policy: additions.Date},
	{Name: "add_git_diff", Policy: additions.Diff}, {Name: "add_environment_info", Policy: additions.Environment},
	{Name: "add_prompt_files", Policy: additions.Files}, {Name: "add_directory_listing", Policy: additions.Listing},
	{Name: "add_git_status", Policy: additions.Status}, {Name: "add_user_info", Policy: additions.User},
	{Name: "cache_response", Policy: cacheresponse.Policy}, {Name: "snapshot", Policy: snapshot.Policy},
	{Name: "audit-log", Policy: auditlog.Policy}, {Name: "budget", Policy: budget.Policy},
	{Name: "loop-detector", Policy: loopdetector.Policy}, {Name: "max_iterations", Policy: maxiterations.Policy},
	{Name: "rate-limit", Policy: ratelimit.Policy}, {Name: "telemetry", Policy: telemetry.Policy},
	{Name: "usage-tracker", Policy: usagetracker.Policy}, {Name: "config-protection", Policy: configprotection.Policy},
	{Name: "mcp-guard", Policy: mcpguard.Policy}, {Name: "net-guard", Policy: netguard.Policy},
	{Name: "path-guard", Policy: pathguard.Policy}, {Name: "prod-config-guard", Policy: prodconfigguard.Policy},
	{Name: "read-only", Policy: readonly.Policy}, {Name: "self-protection", Policy: selfprotection.Policy},
	{Name: "shell-guard", Policy: shellguard.Policy}, {Name: "evidence-capture", Policy: evidencecapture.Policy},
	{Name: "quality-gate", Policy: qualitygate.Policy}, {Name: "stop-goal-fit", Policy: stopgoalfit.Policy},
	{Name: "workflow-steering", Policy: workflowsteering.Policy},
	{Name: "elide_repeated_tool_results", Policy: eliderepeatedtoolresults.Policy},
	{Name: "limit_large_tool_results", Policy: shorten.Limit}, {Name: "output-guard", Policy: outputguard.Policy},
	{Name: "redact_secrets", Policy: redactsecrets.Policy},
	{Name: "secrets", Policy: secrets.Policy}, {Name: "truncate-output", Policy: shorten.Truncate},
}
