package flow

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
)

// genesis is what the first record of a log is chained to, in the format of
// Flow Agents.
const genesis = "a3f9e2b7d5c84f1e6a0d2c3b9f7e1a4d8c6b5f2e9a0d3c7b1f4e8a2d6c0b9f3"

// Result is what became of a command.
type Result string

// The results. A command whose result is unknown is ambiguous, never passed.
const (
	Passed    Result = "pass"
	Failed    Result = "fail"
	Ambiguous Result = "ambiguous"
)

// Run is a command that was really run.
type Run struct {
	Command string
	Result  Result
	Commit  string // what the project was at
	Clean   bool   // and that nothing was changed there
}

// Chain is what the records of a log say about each other.
type Chain uint8

// The states of a chain.
const (
	Unchained Chain = iota // nothing in it is chained
	Whole
	Forked // two processes have written at once; nothing is missing
	Broken // a record was changed, removed or put in
)

// Log is the log of the commands of a task.
type Log struct {
	Runs  []Run
	Chain Chain
}

// Latest is the last run of a command.
func (l *Log) Latest(command string) (Run, bool) {
	for i := len(l.Runs) - 1; i >= 0; i-- {
		if l.Runs[i].Command == command {
			return l.Runs[i], true
		}
	}
	return Run{}, false
}

// Log reads the log of commands and checks its chain.
func (s Session) Log() (*Log, error) {
	data, err := readFile(filepath.Join(s.Dir, LogFile), maxLog)
	if err != nil {
		return nil, err
	}
	l := &Log{}
	c := checker{seen: map[string]bool{genesis: true}, last: genesis}
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rec, err := strict.Object(line, strict.Limits{})
		if err != nil {
			c.gap()
			continue
		}
		c.next(rec)
		command, _ := rec["command"].(string)
		run := Run{Command: Command(command), Result: Ambiguous, Commit: text(rec, "observed_at_commit")}
		run.Clean, _ = rec["worktree_clean"].(bool)
		switch r := Result(text(rec, "observedResult")); r {
		case Passed, Failed:
			run.Result = r
		}
		l.Runs = append(l.Runs, run)
	}
	l.Chain = c.state
	return l, nil
}

// checker follows a chain.
type checker struct {
	state Chain
	seen  map[string]bool
	last  string
}

// gap is a line that is no record. Before the chain begins it is an old log's.
func (c *checker) gap() {
	if c.state != Unchained {
		c.state = Broken
	}
}

func (c *checker) next(rec map[string]any) {
	link, ok := rec["_chain"].(map[string]any)
	if !ok {
		c.gap()
		return
	}
	prev, _ := link["prevHash"].(string)
	hash, _ := link["hash"].(string)
	want, err := linkHash(prev, rec)
	switch {
	case err != nil, hash != want, !c.seen[prev], c.state == Broken:
		c.state = Broken
	case prev != c.last:
		c.state = Forked
	case c.state == Unchained:
		c.state = Whole
	}
	c.seen[hash], c.last = true, hash
}

// linkHash chains a record to the one before it.
func linkHash(prev string, rec map[string]any) (string, error) {
	bare := maps.Clone(rec)
	delete(bare, "_chain")
	data, err := canonical.Append([]byte(prev), bare)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Append adds a record to the log of commands, chained to the last one. Who
// writes at the same time waits; the lock is kept with our own state, so that
// nothing but the log is left in the project.
func (s Session) Append(ctx context.Context, stateDir string, rec map[string]any) error {
	path := filepath.Join(s.Dir, LogFile)
	held, err := lockOn(ctx, stateDir, path)
	if err != nil {
		return err
	}
	defer held.Unlock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	seq, prev, torn, err := lastLink(f)
	if err != nil {
		return err
	}
	hash, err := linkHash(prev, rec)
	if err != nil {
		return err
	}
	rec = maps.Clone(rec)
	rec["_chain"] = map[string]any{"seq": seq + 1, "prevHash": prev, "hash": hash}
	var line []byte
	if torn {
		line = append(line, '\n')
	}
	if line, err = canonical.Append(line, rec); err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n')) // one write: a record is there whole or not at all
	return err
}

// tail is how much of the end of a log is looked at for its last record. No
// record that we write is longer.
const tail = 64 << 10

// lastLink finds what the next record is chained to. torn is true where the
// last line has no end.
func lastLink(f *os.File) (seq int64, hash string, torn bool, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, "", false, err
	}
	from := max(0, size-tail)
	data := make([]byte, size-from)
	if _, err := f.ReadAt(data, from); err != nil && !errors.Is(err, io.EOF) {
		return 0, "", false, err
	}
	torn = len(data) > 0 && data[len(data)-1] != '\n'
	for {
		data = bytes.TrimRight(data, "\n")
		at := bytes.LastIndexByte(data, '\n') + 1
		if rec, err := strict.Object(data[at:], strict.Limits{}); err == nil {
			link, _ := rec["_chain"].(map[string]any)
			seq, _ := link["seq"].(int64)
			if hash, _ := link["hash"].(string); hash != "" {
				return seq, hash, torn, nil
			}
		}
		if at == 0 {
			return -1, genesis, torn, nil
		}
		data = data[:at]
	}
}

// lockOn locks a file of a task, unless it or its directory is a link: what an
// agent has made is not written through.
func lockOn(ctx context.Context, stateDir, path string) (*flock.Held, error) {
	if stateDir == "" {
		return nil, errors.New("there is no state directory for the lock")
	}
	for _, p := range [...]string{filepath.Dir(path), path} {
		if fi, err := os.Lstat(p); err == nil && fi.Mode()&os.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s is a link, and is not written through", p)
		}
	}
	locks := filepath.Join(stateDir, "flow-locks")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		return nil, err
	}
	return flock.Lock(ctx, filepath.Join(locks, state.Digest(path)+".lock"))
}
