package stopgoalfit

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/trammel-dev/trammel/internal/flow"
)

// maxClaims bounds how many claimed commands are looked up.
const maxClaims = 8

// captured compares claims with the log of commands that really ran. Commands that
// are not in the log are run, if the project declares them and the rules want it.
func (e *examiner) captured(ctx context.Context) {
	log, err := e.Log()
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(e.claimed) > 0:
		log = &flow.Log{}
	case !e.there(flow.LogFile, err):
		return
	}
	switch log.Chain {
	case flow.Broken:
		e.add(hard, "log_broken", flow.LogFile, "capture log integrity FAILED: a record of %s was changed, removed or put in. It proves nothing "+
			"until the commands are run again in a new log.", flow.LogFile)
		return
	case flow.Forked:
		e.add(advice, "log_forked", flow.LogFile, "%s was written by two processes at once; nothing is missing.", flow.LogFile)
	}
	head := flow.Head(e.Root)
	var missing []string
	for _, command := range e.claimed[:min(len(e.claimed), maxClaims)] {
		if !e.compare(command, log, head) {
			missing = append(missing, command)
		}
	}
	if e.rerun {
		missing = e.runAgain(ctx, missing, head)
	}
	for _, command := range missing {
		shown := flow.Clean(command)
		e.add(soft, "capture_missing", shown, "NOT_VERIFIED — %s is claimed to have passed, and no %s shows that it was run.", shown,
			flow.LogFile)
	}
}

// compare judges a claimed command by its last run, and reports whether there is
// one.
func (e *examiner) compare(command string, log *flow.Log, head string) bool {
	shown := flow.Clean(command)
	if launders(command) {
		e.add(hard, "exit_laundered", shown, "%s is claimed to have passed, but it ends so that it always does (exit-code-laundered). Run it "+
			"without that.", shown)
		return true
	}
	run, ok := log.Latest(command)
	switch {
	case !ok:
		return false
	case run.Result == flow.Failed:
		e.add(hard, "capture_contradicts", shown, "capture log CONTRADICTS claimed pass: the last run of %s failed (caught false-completion). "+
			"Fix it, run it again, and record that.", shown)
	case run.Result == flow.Ambiguous:
		e.add(hard, "capture_ambiguous", shown, "NOT_VERIFIED — it is unknown whether the last run of %s passed. Run it alone, so "+
			"that its exit code shows.", shown)
	case head != "" && run.Commit != "" && run.Commit != head:
		e.add(advice, "capture_stale", shown, "%s passed at a commit other than the current one.", shown)
	}
	return true
}

// launders reports whether a command ends in something that always succeeds. A
// fallback that does real work does not count.
func launders(command string) bool {
	at, operator := lastOperator(command)
	if operator == "" || operator == "&&" {
		return false
	}
	rest := strings.Fields(command[at+len(operator):])
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case "true", ":", "/bin/true":
		return true
	case "exit":
		return len(rest) == 2 && rest[1] == "0"
	case "echo", "printf":
		return operator == ";" || operator == "||"
	}
	return false
}

// lastOperator finds the last ||, &&, ; or | outside of quotes.
func lastOperator(command string) (at int, operator string) {
	var quote byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ';':
			at, operator = i, ";"
		case c == '|' || c == '&':
			if i+1 < len(command) && command[i+1] == c {
				at, operator = i, command[i:i+2]
				i++
			} else if c == '|' {
				at, operator = i, "|"
			}
		}
	}
	return at, operator
}
