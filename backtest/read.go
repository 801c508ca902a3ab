package backtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// read takes what is needed out of a record's body, which is canonical, and skips
// the rest: most hooks of most records have nothing to say.
func (r *record) read(body []byte) error {
	c := canonical.NewCursor(body)
	if c.Peek() != '{' {
		return errNotCanonical
	}
	var failed error
	c.Members(func(key []byte) {
		var err error
		switch string(key) {
		case "id":
			r.ID = text(c.Raw())
		case "host":
			r.Host = text(c.Raw())
		case "event":
			r.Event = text(c.Raw())
		case "name":
			r.Name = text(c.Raw())
		case "project":
			r.Project = text(c.Raw())
		case "time":
			r.Time, err = time.Parse(time.RFC3339Nano, text(c.Raw()))
		case "payload":
			r.Payload = slices.Clone(c.Raw())
		case "error":
			r.Error = true
			c.Skip()
		case "hooks":
			c.Elements(func() {
				if h := readHook(&c); h.matters() {
					r.Hooks = append(r.Hooks, h)
				}
			})
		case "verdict":
			r.Judged = true
			err = r.readVerdict(&c)
		}
		failed = errors.Join(failed, err)
	})
	if failed == nil && !c.Done() {
		failed = errNotCanonical
	}
	return failed
}

var errNotCanonical = errors.New("the record is not canonical")

func (r *record) readVerdict(c *canonical.Cursor) (err error) {
	c.Members(func(key []byte) {
		switch string(key) {
		case "canceled":
			r.Canceled = string(c.Raw()) == "true"
		case "decision":
			r.Decision = text(c.Raw())
		case "input":
			err = json.Unmarshal(c.Raw(), &r.Input)
		}
	})
	return err
}

func readHook(c *canonical.Cursor) (h hookRecord) {
	c.Members(func(key []byte) {
		switch string(key) {
		case "id":
			h.ID = text(c.Raw())
		case "kind":
			h.Kind = text(c.Raw())
		case "digest":
			h.Digest = text(c.Raw())
		case "entrypoint":
			h.Entrypoint = text(c.Raw())
		case "status":
			h.Failed = text(c.Raw()) == "failed"
		case "blocked":
			h.Blocked = string(c.Raw()) == "true"
		case "code":
			h.Code = text(c.Raw())
		case "detail":
			h.Detail = text(c.Raw())
		case "decision":
			h.Decision = text(c.Raw())
		case "reason":
			h.Reason = text(c.Raw())
		case "excepted":
			h.Excepted = text(c.Raw())
		case "trial":
			h.Trial = text(c.Raw())
		case "rewrites":
			c.Elements(func() { h.Rewrites = append(h.Rewrites, text(c.Raw())) })
		}
	})
	return h
}

// matters reports whether the record of a hook tells more than that it ran.
func (h *hookRecord) matters() bool {
	return h.Digest != "" || h.Failed || h.Blocked || h.Decision != "" || h.Trial != "" || len(h.Rewrites) > 0
}

// text reads a string; any other value is "".
func text(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
