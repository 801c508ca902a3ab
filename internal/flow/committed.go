package flow

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel/internal/git"
	"github.com/trammel-dev/trammel/internal/strict"
)

// committedFile is where a project says how the ends of its tasks are judged.
const committedFile = ".flow-agents/config/core.config.json"

// GoalFit is what a project has committed about the end of a task.
type GoalFit struct {
	Mode            string // off, warn, block
	MaxBlocks       int
	Backstop        string // block: checks that are claimed and not on record are run
	Timeout         time.Duration
	RequireSidecars bool
	RequireCritique bool
}

// Committed reads what is committed at the commit that the project is at, nil
// if nothing is. What lies in the work tree does not count: the agent may have
// written it. A repository without a commit has committed nothing.
func (s Session) Committed(ctx context.Context) (*GoalFit, error) {
	head := Head(s.Root)
	if head == "" {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, 15*time.Second)
	defer stop()
	out, truncated, err := git.Repo{Dir: s.Root}.Output(ctx, maxFile, []byte(head+":"+committedFile+"\n"), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	about, content, _ := bytes.Cut(out, []byte("\n"))
	words := bytes.Fields(about)
	switch {
	case bytes.HasSuffix(about, []byte(" missing")):
		return nil, nil
	case truncated || len(words) != 3 || string(words[1]) != "blob":
		return nil, &Unreadable{committedFile, "not a file that can be read"}
	}
	size, err := strconv.Atoi(string(words[2]))
	if err != nil || size > len(content) {
		return nil, &Unreadable{committedFile, "git has not shown all of it"}
	}
	return readGoalFit(content[:size])
}

// readGoalFit reads the file, which has to have all its fields and no others:
// one that is misspelled would otherwise be missing without a word.
func readGoalFit(data []byte) (*GoalFit, error) {
	unusable := func(why string) (*GoalFit, error) { return nil, &Unreadable{committedFile, why} }
	obj, err := strict.Object(data, strict.Limits{})
	if err != nil {
		return unusable(err.Error())
	}
	fit, ok := obj["goal_fit"].(map[string]any)
	if !ok || obj["schema_version"] != "1.0" || len(obj) != 2 {
		return unusable(`expected "schema_version": "1.0" and "goal_fit", and nothing else`)
	}
	var g GoalFit
	var blocks, millis int64
	fields := map[string]func(v any) bool{
		"mode":                func(v any) bool { return oneOf(v, &g.Mode, "off", "warn", "block") },
		"backstop":            func(v any) bool { return oneOf(v, &g.Backstop, "skip", "off", "block") },
		"max_blocks":          func(v any) bool { return positive(v, &blocks) },
		"backstop_timeout_ms": func(v any) bool { return positive(v, &millis) },
		"recheck":             func(v any) bool { return isBool(v, new(bool)) },
		"require_sidecars":    func(v any) bool { return isBool(v, &g.RequireSidecars) },
		"require_critique":    func(v any) bool { return isBool(v, &g.RequireCritique) },
	}
	for name, read := range fields {
		if v, there := fit[name]; !there || !read(v) {
			return unusable("goal_fit." + name + " is missing or has an invalid value")
		}
	}
	if len(fit) != len(fields) {
		return unusable("goal_fit has an unknown field")
	}
	const day = 24 * time.Hour
	g.MaxBlocks, g.Timeout = int(min(blocks, 1<<30)), time.Duration(min(millis, day.Milliseconds()))*time.Millisecond
	return &g, nil
}

func oneOf(v any, into *string, words ...string) bool {
	for _, word := range words {
		if v == word {
			*into = word
			return true
		}
	}
	return false
}

func positive(v any, into *int64) bool {
	n, ok := v.(int64)
	*into = n
	return ok && n > 0
}

func isBool(v any, into *bool) bool {
	b, ok := v.(bool)
	*into = b
	return ok
}
