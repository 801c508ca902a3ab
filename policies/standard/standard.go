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
	"github.com/trammel-dev/trammel/policies/limitlargetoolresults"
	"github.com/trammel-dev/trammel/policies/loopdetector"
	"github.com/trammel-dev/trammel/policies/maxiterations"
	"github.com/trammel-dev/trammel/policies/mcpguard"
	"github.com/trammel-dev/trammel/policies/netguard"
	"github.com/trammel-dev/trammel/policies/pathguard"
	"github.com/trammel-dev/trammel/policies/prodconfigguard"
	"github.com/trammel-dev/trammel/policies/qualitygate"
	"github.com/trammel-dev/trammel/policies/ratelimit"
	"github.com/trammel-dev/trammel/policies/readonly"
	"github.com/trammel-dev/trammel/policies/redactsecrets"
	"github.com/trammel-dev/trammel/policies/secrets"
	"github.com/trammel-dev/trammel/policies/selfprotection"
	"github.com/trammel-dev/trammel/policies/shellguard"
	"github.com/trammel-dev/trammel/policies/snapshot"
	"github.com/trammel-dev/trammel/policies/stopgoalfit"
	"github.com/trammel-dev/trammel/policies/telemetry"
	"github.com/trammel-dev/trammel/policies/truncateoutput"
	"github.com/trammel-dev/trammel/policies/usagetracker"
	"github.com/trammel-dev/trammel/policies/workflowsteering"
)

// All returns the built-in policies.
func All() []trammel.Policy {
	return []trammel.Policy{
		additions.Commits(),
		additions.Date(),
		additions.Diff(),
		additions.Environment(),
		additions.Files(),
		additions.Listing(),
		additions.Status(),
		additions.User(),
		cacheresponse.Policy(),
		snapshot.Policy(),
		auditlog.Policy(),
		budget.Policy(),
		loopdetector.Policy(),
		maxiterations.Policy(),
		ratelimit.Policy(),
		telemetry.Policy(),
		usagetracker.Policy(),
		configprotection.Policy(),
		mcpguard.Policy(),
		netguard.Policy(),
		pathguard.Policy(),
		prodconfigguard.Policy(),
		readonly.Policy(),
		selfprotection.Policy(),
		shellguard.Policy(),
		evidencecapture.Policy(),
		qualitygate.Policy(),
		stopgoalfit.Policy(),
		workflowsteering.Policy(),
		eliderepeatedtoolresults.Policy(),
		limitlargetoolresults.Policy(),
		redactsecrets.Policy(),
		secrets.Policy(),
		truncateoutput.Policy(),
	}
}
