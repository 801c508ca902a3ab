package stopgoalfit

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/flow"
)

// rules say how the end of a task is judged.
type rules struct {
	mode                             string
	maxBlocks                        int
	requireSidecars, requireCritique bool
	rerun                            bool
	rerunTime                        time.Duration // for all checks together
}

// rules merges the settings by precedence: the configuration, what the project has
// committed, the environment. If the project has committed settings, the
// environment can only be stricter. Committed settings that cannot be used count
// as the strictest ones; if git cannot say what is committed, none are.
func (p *policy) rules(committed *flow.GoalFit, unusable error, getenv func(string) string) rules {
	if isUnreadable(unusable) {
		committed = &flow.GoalFit{Mode: "block", MaxBlocks: math.MaxInt, RequireSidecars: true, RequireCritique: true}
	}
	if !p.Environment {
		getenv = func(string) string { return "" }
	}
	r := rules{mode: p.Mode, requireSidecars: p.RequireSidecars || isTrue(getenv("FLOW_AGENTS_REQUIRE_SIDECARS")),
		requireCritique: p.RequireCritique || isTrue(getenv("FLOW_AGENTS_REQUIRE_CRITIQUE")), maxBlocks: 3, rerunTime: 2 * time.Minute}
	backstop := word(getenv("FLOW_AGENTS_GOAL_FIT_BACKSTOP"), "skip", "off", "block")
	said := word(getenv("FLOW_AGENTS_GOAL_FIT_MODE"), "off", "warn", "block")
	if said == "" && isTrue(getenv("FLOW_AGENTS_GOAL_FIT_STRICT")) {
		said = "block"
	}
	if c := committed; c != nil {
		r.maxBlocks, r.rerunTime = c.MaxBlocks, c.Timeout
		r.requireSidecars, r.requireCritique = r.requireSidecars || c.RequireSidecars, r.requireCritique || c.RequireCritique
		backstop = c.Backstop
		if said != "block" {
			said = c.Mode
		}
	}
	r.mode = cmp.Or(r.mode, said)
	r.mode = cmp.Or(r.mode, "warn")
	if p.MaxBlocks != nil {
		r.maxBlocks = *p.MaxBlocks
	}
	if n, err := strconv.Atoi(getenv("FLOW_AGENTS_GOAL_FIT_MAX_BLOCKS")); err == nil && n > r.maxBlocks {
		r.maxBlocks = n
	}
	r.rerun = backstop == "block"
	if p.Rerun != nil {
		r.rerun = *p.Rerun
	}
	return r
}

func isUnreadable(err error) bool {
	var u *flow.Unreadable
	return errors.As(err, &u)
}

// uncommitted reports that the committed settings could not be used.
func (e *examiner) uncommitted(err error) {
	why := flow.Clean(err.Error())
	if isUnreadable(err) {
		e.add(hard, "config_invalid", "core.config.json", "the committed core.config.json cannot be used: %s. A person has to commit one that "+
			"can.",
			why)
		return
	}
	e.add(advice, "config_unknown", "core.config.json", "git cannot say what is committed: %s", why)
}

// word returns a text if it is one of these words, else "".
func word(text string, words ...string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, w := range words {
		if text == w {
			return w
		}
	}
	return ""
}

func isTrue(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "true") || s == "1" }
