package budget

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Some hosts report the usage of model calls only in their transcript: Claude
// Code with each message, Codex as a running total. Each event continues reading
// where the last one stopped.

const (
	// maxRead limits what one event reads; the rest is left to the next.
	maxRead = 2 << 20
	// maxFiles is how many transcripts of a session are remembered, and
	// maxRecent how many messages of one.
	maxFiles, maxRecent = 16, 8
	// maxTokens is more than any model call uses.
	maxTokens = 1 << 40
)

// usage is the usage so far.
type usage struct{ Tokens, Cost int64 }

// reading is how far a transcript has been read.
type reading struct {
	path   string
	offset int64
	// recent are the latest messages. One message may take several lines, each
	// with the usage up to that point.
	recent []message
}

type message struct {
	id string
	usage
}

// journal is what is stored about a session's transcripts.
type journal struct {
	usage
	files []reading
}

// transcript continues reading, and returns the usage from all transcripts of the
// session: its own, and those of sub-agents, which are named when they end.
func (b *book) transcript(ctx context.Context) (usage, error) {
	paths := make([]string, 0, 2)
	if sub, _ := b.ev.Fields["agent_transcript_path"].(string); filepath.IsAbs(sub) {
		paths = append(paths, sub)
	}
	if own := b.ev.Session.Transcript; filepath.IsAbs(own) {
		paths = append(paths, own)
	}
	if len(paths) == 0 {
		return usage{}, nil
	}
	var total usage
	err := b.counters.Update(ctx, b.key("transcript", b.prices()), func(old []byte) ([]byte, error) {
		j, err := parseJournal(old)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			j.open(path)
		}
		changed, left := false, int64(maxRead)
		for i := range j.files {
			n, err := b.readOn(j, &j.files[i], left)
			if err != nil {
				return nil, err
			}
			changed = changed || n > 0
			left -= n
		}
		total = j.usage
		if !changed {
			return nil, nil
		}
		return j.append(nil)
	})
	return total, err
}

// readOn reads complete lines from where it stopped before. A missing transcript
// counts as empty; one that became shorter was rewritten, and is counted again.
func (b *book) readOn(j *journal, r *reading, most int64) (read int64, err error) {
	info, err := os.Stat(r.path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("the transcript %s is no regular file: %s", r.path, info.Mode())
	}
	if info.Size() < r.offset {
		r.offset, r.recent = 0, nil
	}
	if info.Size() == r.offset || most == 0 {
		return 0, nil
	}
	file, err := os.Open(r.path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	data := make([]byte, min(info.Size()-r.offset, most))
	n, err := file.ReadAt(data, r.offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	data = data[:n]
	before := r.offset
	for {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			if len(line) == maxRead { // no message is that long
				r.offset += maxRead
			}
			return r.offset - before, nil
		}
		r.offset += int64(len(line)) + 1
		if id, model, use, ok := readLine(line); ok {
			model = cmp.Or(model, b.ev.Session.Model)
			r.count(j, message{id, usage{size(use), b.policy.cost(model, use)}})
		}
		data = rest
	}
}

// count adds the usage of a message that has not been counted yet.
func (r *reading) count(j *journal, m message) {
	at := slices.IndexFunc(r.recent, func(old message) bool { return old.id == m.id })
	var before usage
	if at >= 0 {
		before = r.recent[at].usage
		r.recent = slices.Delete(r.recent, at, at+1)
	}
	m.Tokens, m.Cost = max(m.Tokens, before.Tokens), max(m.Cost, before.Cost)
	j.Tokens = min(j.Tokens+m.Tokens-before.Tokens, maxTokens)
	j.Cost = min(j.Cost+m.Cost-before.Cost, maxCost*millionth)
	r.recent = append(r.recent, m)
	if len(r.recent) > maxRecent {
		r.recent = r.recent[1:]
	}
}

// readLine reads the usage from a line of a transcript. ok is false for lines that
// have none.
func readLine(line []byte) (id, model string, use trammel.Usage, ok bool) {
	if !bytes.Contains(line, []byte(`_tokens"`)) {
		return "", "", use, false
	}
	obj, err := strict.Object(line, strict.Limits{})
	if err != nil {
		return "", "", use, false
	}
	if m, is := obj["message"].(map[string]any); is { // Claude Code
		u, is := m["usage"].(map[string]any)
		if !is {
			return "", "", use, false
		}
		id, _ = m["id"].(string)
		model, _ = m["model"].(string)
		use = trammel.Usage{Input: whole(u, "input_tokens"), Output: whole(u, "output_tokens"),
			CachedInput: whole(u, "cache_read_input_tokens"), CachedWrite: whole(u, "cache_creation_input_tokens")}
		return id, model, bounded(use), true
	}
	p, _ := obj["payload"].(map[string]any) // Codex
	info, _ := p["info"].(map[string]any)
	u, is := info["total_token_usage"].(map[string]any)
	if !is {
		return "", "", use, false
	}
	cached := whole(u, "cached_input_tokens")
	use = trammel.Usage{Input: whole(u, "input_tokens") - cached, Output: whole(u, "output_tokens"), CachedInput: cached}
	return "total", "", bounded(use), true
}

func whole(m map[string]any, key string) int64 {
	n, _ := m[key].(int64)
	return n
}

// bounded limits numbers from outside, so that sums cannot overflow.
func bounded(u trammel.Usage) trammel.Usage {
	for _, n := range []*int64{&u.Input, &u.Output, &u.CachedInput, &u.CachedWrite} {
		*n = min(max(*n, 0), maxTokens)
	}
	return u
}

// open adds a transcript to read from now on, and drops those that have not been
// used for the longest time.
func (j *journal) open(path string) {
	r := reading{path: path}
	if at := slices.IndexFunc(j.files, func(r reading) bool { return r.path == path }); at >= 0 {
		r = j.files[at]
		j.files = slices.Delete(j.files, at, at+1)
	} else if len(j.files) == maxFiles {
		j.files = slices.Delete(j.files, 0, 1)
	}
	j.files = append(j.files, r)
}

func (j *journal) append(dst []byte) ([]byte, error) {
	files := make([]any, len(j.files))
	for i, r := range j.files {
		recent := make([]any, len(r.recent))
		for k, m := range r.recent {
			recent[k] = map[string]any{"id": m.id, "tokens": m.Tokens, "cost": m.Cost}
		}
		files[i] = map[string]any{"path": r.path, "offset": r.offset, "recent": recent}
	}
	return canonical.Append(dst, map[string]any{"tokens": j.Tokens, "cost": j.Cost, "files": files})
}

func parseJournal(data []byte) (*journal, error) {
	j := &journal{}
	if data == nil {
		return j, nil
	}
	f, err := strict.Read(data)
	if err != nil {
		return nil, fmt.Errorf("what is remembered of the transcript is damaged: %w", err)
	}
	j.usage = usage{f.Int("tokens"), f.Int("cost")}
	for _, v := range f.List("files") {
		m, _ := v.(map[string]any)
		in := strict.FieldsOf(m, "files")
		r := reading{path: in.String("path"), offset: in.Int("offset")}
		for _, v := range in.List("recent") {
			m, _ := v.(map[string]any)
			one := strict.FieldsOf(m, "recent")
			r.recent = append(r.recent, message{one.String("id"), usage{one.Int("tokens"), one.Int("cost")}})
			f.Fail(one.Err())
		}
		f.Fail(in.Err())
		if r.offset < 0 {
			f.Refuse("offset", "a place in the file")
		}
		j.files = append(j.files, r)
	}
	return j, f.Err()
}
