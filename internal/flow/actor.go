package flow

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"

	"github.com/trammel-dev/trammel"
)

// actors are the names under which the agent of an event may have claimed a
// task, best first; none if it cannot be distinguished from others. A name that was
// given on purpose is the only one. The session's id in the payload counts like
// the one that some hosts put into the environment: it is the same, and it is
// always there.
func actors(ev *trammel.Event, getenv func(string) string) []string {
	if name := segment(getenv("FLOW_AGENTS_ACTOR")); name != "" && !strings.EqualFold(name, "local") {
		return []string{name}
	}
	host, _ := os.Hostname()
	var out []string
	add := func(runtime, session string) {
		if segment(session) != "" {
			out = append(out, orUnknown(segment(runtime))+":"+segment(session)+":"+orUnknown(segment(host)))
		}
	}
	runtime := runtimeOf(ev, getenv)
	for _, name := range [...]string{"CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "OPENCODE_SESSION_ID", "PI_SESSION_ID"} {
		id := strings.TrimSpace(getenv(name))
		if id != "" && name == "CODEX_THREAD_ID" {
			id = codexThread(id)
		}
		add(runtime, id)
	}
	add(ci(getenv))
	if runtime == "codex" && ev.Session.ID != "" {
		add(runtime, codexThread(ev.Session.ID))
	}
	add(runtime, ev.Session.ID)
	return out
}

// runtimeOf is what Flow Agents calls the host.
func runtimeOf(ev *trammel.Event, getenv func(string) string) string {
	switch {
	case getenv("CLAUDECODE") == "1", getenv("CLAUDE_CODE_SESSION_ID") != "":
		return "claude-code"
	case getenv("CODEX_THREAD_ID") != "", getenv("CODEX_SESSION_ID") != "":
		return "codex"
	case getenv("OPENCODE_SESSION_ID") != "":
		return "opencode"
	case getenv("PI_SESSION_ID") != "":
		return "pi"
	case ev.Host == "flow-agents":
		return getenv("FLOW_AGENTS_HOOK_RUNTIME")
	}
	return ev.Host
}

// codexThread is the name of a thread that does not give its id away.
func codexThread(id string) string {
	sum := sha256.Sum256([]byte("flow-agents:codex-thread:v1:" + id))
	return "thread-" + hex.EncodeToString(sum[:])[:24]
}

// ci names the job of a build server.
func ci(getenv func(string) string) (runtime, session string) {
	join := func(names ...string) string {
		var parts []string
		for _, name := range names {
			if v := strings.TrimSpace(getenv(name)); v != "" {
				parts = append(parts, v)
			}
		}
		return strings.Join(parts, "-")
	}
	switch {
	case getenv("GITHUB_ACTIONS") == "true":
		return "github-actions", join("GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB")
	case getenv("GITLAB_CI") == "true":
		return "gitlab-ci", join("CI_JOB_ID")
	case getenv("CIRCLECI") == "true":
		if id := join("CIRCLE_WORKFLOW_ID", "CIRCLE_JOB", "CIRCLE_NODE_INDEX"); id != "" {
			return "circleci", id
		}
		return "circleci", join("CIRCLE_BUILD_NUM")
	case getenv("JENKINS_URL") != "":
		if id := join("BUILD_TAG"); id != "" {
			return "jenkins", id
		}
		return "jenkins", join("JOB_NAME", "BUILD_ID")
	case getenv("TF_BUILD") == "true":
		return "azure-pipelines", join("BUILD_BUILDID", "SYSTEM_JOBID")
	case getenv("BUILDKITE") == "true":
		return "buildkite", join("BUILDKITE_JOB_ID")
	}
	return "", ""
}

// pointerName is the file in which an actor claims a task.
func pointerName(actor string) string {
	sum := sha256.Sum256([]byte(actor))
	name := segment(actor)
	return name[:min(40, len(name))] + "-" + hex.EncodeToString(sum[:])[:16] + ".json"
}

// segment keeps the letters that a name may have.
func segment(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.', r == '-':
			return r
		}
		return -1
	}, s)
	return s[:min(64, len(s))]
}

func orUnknown(s string) string {
	return cmp.Or(s, "unknown")
}
