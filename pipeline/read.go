package pipeline

import (
	"errors"
	"io"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/plan"
)

// read reads the whole payload, up to the limit.
func (j *job) read() ([]byte, error) {
	data := j.call.Payload
	if j.call.Stdin != nil {
		var err error
		if data, err = readAll(j.call.Stdin, maxRead+1); err != nil {
			return nil, trammel.Fail(trammel.CodeInput, "reading the payload: %w", err)
		}
	}
	if _, own := j.dialect.(dialects.CallDecoder); own {
		return data, nil
	}
	return data, j.checkSize(len(data))
}

// decode reads the payload. The wiring names a host, but the payload decides,
// because one host may use the wiring of another (TEAM-02).
func (j *job) decode(raw []byte) (*trammel.Event, error) {
	if d, ok := j.dialect.(dialects.CallDecoder); ok {
		return d.DecodeCall(raw, j.call.Event, j.getenv)
	}
	ev, err := j.dialect.DecodeEvent(raw, j.call.Event)
	var sent *dialects.SentBy
	if err == nil || !errors.As(err, &sent) {
		return ev, err
	}
	dialect, ok := j.Dialects.Host(sent.Host)
	if !ok {
		return ev, trammel.Fail(trammel.CodeInput, "%w, which this program does not know", err)
	}
	j.dialect = dialect
	j.guess()
	j.expectVerdict(j.deadline())
	return dialect.DecodeEvent(raw, j.call.Event)
}

func (j *job) getenv(name string) string {
	if j.call.Getenv == nil {
		return ""
	}
	return j.call.Getenv(name)
}

// readAll is io.ReadAll with a limit, and with a buffer that is large enough
// for most payloads.
func readAll(r io.Reader, limit int) ([]byte, error) {
	data := make([]byte, 0, 8<<10)
	for {
		n, err := r.Read(data[len(data):min(cap(data), limit)])
		data = data[:len(data)+n]
		if err == io.EOF || err == nil && len(data) >= limit {
			return data, nil
		}
		if err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, cap(data))
		}
	}
}

// checkSize checks a payload against the limit. Only payloads above the default
// limit need the settings, which come from the host's project directory: looking
// them up requires the plan before the event is known.
func (j *job) checkSize(size int) error {
	limit := plan.DefaultSettings().MaxPayload
	if int64(size) > limit {
		if c, err := j.configAt(j.dirs(nil)); err == nil {
			limit = c.Plan.Settings.MaxPayload
		}
	}
	if int64(size) > limit {
		return tooLarge(limit)
	}
	return nil
}

func tooLarge(limit int64) error {
	return trammel.Fail(trammel.CodeTooLarge, "the payload is larger than %d bytes; a person can raise limits.payload in trammel.yaml, to %d "+
		"at most", limit, maxRead)
}

// dirs returns the directories from which to look for project files.
func (j *job) dirs(ev *trammel.Event) []string {
	dirs := make([]string, 0, 3)
	if d, ok := j.dialect.(dialects.ProjectFinder); ok {
		dirs = append(dirs, d.ProjectDir(j.getenv))
	}
	if ev != nil {
		dirs = append(dirs, ev.Session.Dir)
	}
	return append(dirs, j.call.Dir)
}
