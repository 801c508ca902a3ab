package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/post"
)

// Client sends a machine's logs to a collector.
type Client struct {
	URL   string
	Token string
}

// stretch is about how many bytes one push has.
const stretch = 2 << 20

// Send sends what the collector does not have of a log. It can be interrupted
// at any point, and continues there the next time. Lines that are not records are
// left out: then all records have arrived and the error is a *evidence.Damage.
func (c *Client) Send(ctx context.Context, dir, log string, key *transparency.Key) (State, error) {
	var state State
	if at, err := post.Parse(c.URL); err != nil {
		return state, err
	} else if at.Exposed() {
		return state, fmt.Errorf("the token and the records could be read on their way to %s, expected https", at)
	}
	if err := c.call(ctx, http.MethodGet, log, nil, &state); err != nil {
		return state, err
	}
	var lines []byte
	var last evidence.Receipt
	push := func() (err error) {
		p := Push{Verifier: key.Verifier, Lines: lines}
		if p.Head, err = key.SignHead(last.Seq, last.Hash); err != nil {
			return err
		}
		lines = nil
		return c.call(ctx, http.MethodPost, log, &p, &state)
	}
	had := state.Records
	err := evidence.Scan(dir, func(e evidence.Entry) error {
		if last.Seq == 0 && e.Seq > had+1 {
			return fmt.Errorf("records %d to %d were pruned here before the collector had them", had+1, e.Seq-1)
		}
		if e.Prev != last.Hash && len(lines) > 0 { // what the collector will refuse does not hold up what is sound
			if err := push(); err != nil {
				return err
			}
		}
		last = e.Receipt
		if e.Seq <= had {
			return nil
		}
		lines = append(append(lines, e.Line...), '\n')
		if len(lines) < stretch {
			return nil
		}
		return push()
	})
	if evidence.ExceptDamage(err) == nil && (len(lines) > 0 || last.Seq <= had) {
		// even if there is nothing new: the collector learns where the log ends
		if pushed := push(); pushed != nil {
			err = pushed
		}
	}
	return state, err
}

// client follows no redirects: they would take the token elsewhere.
var client = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (c *Client) call(ctx context.Context, method, log string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+"/v1/collect/"+log, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.Token)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		var p struct{ Detail string }
		json.Unmarshal(text, &p) // without a body, the status is enough
		return fmt.Errorf("the collector answered %s: %s", res.Status, p.Detail)
	}
	return json.Unmarshal(text, out)
}
