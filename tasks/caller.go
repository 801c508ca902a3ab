package tasks

import (
	"fmt"

	"github.com/trammel-dev/trammel/repohooks"
)

// ciMarks are the variables of build servers.
var ciMarks = [...]string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "JENKINS_URL", "TF_BUILD"}

// DetectSource finds out on whose behalf a process runs (AIC-52). given is its own
// claim, which counts unless an agent started the process: no flag may make an agent
// look like a person or a build server. agent is the variable with which an agent has
// marked the process, "" if none has.
func DetectSource(given, agent string, getenv func(string) string, terminal bool) (repohooks.Source, error) {
	source := repohooks.Source(given)
	switch source {
	case "":
		switch {
		case agent != "":
			return repohooks.AISession, nil
		case ci(getenv):
			return repohooks.CIPipeline, nil
		case terminal:
			return repohooks.ManualCLI, nil
		}
		return repohooks.BackgroundJob, nil
	case repohooks.AISession:
		return source, nil
	case repohooks.BackgroundJob, repohooks.CIPipeline, repohooks.ManualCLI:
		if agent != "" {
			return "", fmt.Errorf("the caller cannot be %s: %s says that an agent started this", given, agent)
		}
		return source, nil
	}
	return "", fmt.Errorf("unknown source %q, expected ai_session, background_job, ci_pipeline or manual_cli", given)
}

func ci(getenv func(string) string) bool {
	for _, name := range ciMarks {
		if v := getenv(name); v != "" && v != "false" && v != "0" {
			return true
		}
	}
	return false
}
