package console

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// Chain is how a log of evidence stands.
type Chain struct {
	Log string // its name
	transparency.Report
	// Checkpoint is when the newest checkpoint was signed, Signed how many
	// records it covers.
	Checkpoint time.Time
	Signed     int64
}

// checked keeps what the last check of the logs has found: it takes a while, so
// it is done now and then.
type checked struct {
	mu     sync.Mutex
	at     time.Time
	chains []Chain
	err    error
	busy   chan struct{} // closed when the check that is under way is done
}

const checkEvery = 5 * time.Minute

// chains is how the logs stand. If they were not checked for a while, that is
// begun; who wants to wait for it can.
func (c *console) chains(ctx context.Context, wait bool) *verification {
	if c.Verify == nil {
		return nil
	}
	k := &c.checked
	k.mu.Lock()
	due := c.Now().Sub(k.at) >= checkEvery && k.busy == nil
	if due {
		k.busy = make(chan struct{})
		go k.check(context.WithoutCancel(ctx), &c.Deps, k.busy)
	}
	busy := k.busy
	k.mu.Unlock()
	if wait && busy != nil {
		<-busy
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	v := &verification{At: k.at, Chains: k.chains}
	if k.err != nil {
		v.Problem = "The logs cannot be checked."
	}
	for _, chain := range k.chains {
		if chain.Broken != nil {
			v.Broken = append(v.Broken, fmt.Sprintf("The evidence of %s is broken at record %d (%s).", clean(chain.Log), chain.Broken.Seq,
				chain.Broken.Fault))
		}
	}
	return v
}

func (k *checked) check(ctx context.Context, d *Deps, done chan struct{}) {
	chains, err := d.Verify(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.chains, k.err, k.at, k.busy = chains, err, d.Now(), nil
	close(done)
}

type verification struct {
	At      time.Time
	Chains  []Chain
	Problem string
	Broken  []string
}

type evidenceList struct {
	Filter filterBox
	Rows   []eventRow
	Older  int64
	Verify *verification
	Drop   []string // terms without which there might be something
}

func (c *console) evidence(_ http.ResponseWriter, r *http.Request) (*view, error) {
	f, box := c.box(r, "evidence", "decision:deny tool:Bash path:**/*.env since:7d -hook:tidy")
	l := &evidenceList{Filter: box, Verify: c.chains(r.Context(), true)}
	v := &view{Template: "evidence", Title: "Evidence", Tab: "evidence", Data: l}
	return listPage(r, v, box, func(e store.Events) error {
		list, err := e.Events(r.Context(), store.EventQuery{Filter: f, Before: number(r.URL.Query().Get("before")), Most: perPage})
		if err != nil {
			return err
		}
		l.Rows = eventRows(list)
		if len(list) == perPage {
			l.Older = list[perPage-1].Row
		}
		if len(list) == 0 {
			l.Drop = strings.Fields(box.Query)
		}
		return nil
	})
}

// record is one record, with its hash and what it says.
type record struct {
	*eventRow
	Raw        string
	Hash, Prev string
	Seq        uint64
	Known      bool // the record was read from the log
	Wrong      bool // it can be made into a test
	NoExport   string
	Gone       string
	OlderID    string
	NewerID    string
}

func (c *console) record(w http.ResponseWriter, r *http.Request) (*view, error) {
	list, err := c.events(r, store.EventQuery{Most: 1}, terms("id", r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &problem{http.StatusNotFound, "There is no such record.", "It may not be indexed yet."}
	}
	e := list[0]
	rec := &record{eventRow: &eventRow{e, lookOf(e), took(e.Micros)}, Seq: e.Seq, NoExport: mayExport(auth.From(r.Context()))}
	if c.Record == nil {
		rec.Gone = "The log is on another machine."
	} else if entry, err := c.Record(r.Context(), e); err != nil {
		rec.Gone = "The log cannot be read: " + clean(err.Error())
	} else {
		rec.Known, rec.Hash, rec.Prev = true, entry.Hash, entry.Prev
		var text bytes.Buffer
		if json.Indent(&text, entry.Body, "", "  ") == nil {
			rec.Raw, _ = secret.Redact(text.String())
		}
		rec.Wrong = c.Case != nil && e.Decision != ""
		if as := r.URL.Query().Get("as"); as != "" {
			return nil, c.part(w, &entry, rec, as)
		}
	}
	if newer, err := c.events(r, store.EventQuery{Most: 1, After: e.Row}, terms("machine", e.Machine)); err == nil && len(newer) > 0 {
		rec.NewerID = newer[0].ID
	}
	if older, err := c.events(r, store.EventQuery{Most: 1, Before: e.Row}, terms("machine", e.Machine)); err == nil && len(older) > 0 {
		rec.OlderID = older[0].ID
	}
	return &view{Template: "record", Title: "Record " + fmt.Sprint(e.Seq), Tab: "evidence", Data: rec}, nil
}

// part sends a record as a file: the line that its hash is over, or a test.
func (c *console) part(w http.ResponseWriter, entry *evidence.Entry, rec *record, as string) error {
	data, name := append(entry.Line, '\n'), fmt.Sprintf("record-%d.jsonl", rec.Seq)
	switch {
	case rec.NoExport != "":
		return &problem{http.StatusForbidden, rec.NoExport, ""}
	case as == "test" && rec.Wrong:
		var err error
		if data, err = c.Case(entry.Body); err != nil {
			return &problem{http.StatusUnprocessableEntity, clean(err.Error()), ""}
		}
		name = fmt.Sprintf("record-%d_test.yaml", rec.Seq)
	case as != "proof":
		return &problem{http.StatusUnprocessableEntity, "A record is sent as proof or as test.", ""}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, err := w.Write(data)
	return err
}

// mayExport says why this person cannot take records away, "" if they can.
func mayExport(p *auth.Person) string {
	if p.Export {
		return ""
	}
	return "You may not export. To allow it, use trammel serve --export."
}

// exportMost is how many records an export has.
const exportMost = 10000

// export sends what a filter finds as a file. That somebody took it is put on
// record.
func (c *console) export(w http.ResponseWriter, r *http.Request) (*view, error) {
	p, as := auth.From(r.Context()), r.PostFormValue("as")
	switch {
	case mayExport(p) != "":
		return nil, &problem{http.StatusForbidden, mayExport(p), ""}
	case as != "csv" && as != "jsonl":
		return nil, &problem{http.StatusUnprocessableEntity, "An export is csv or jsonl.", ""}
	case !c.exports.Allow(p.Of()):
		return nil, auth.ErrTooMany
	}
	list, err := c.events(r, store.EventQuery{Most: exportMost}, r.URL.Query().Get("q"))
	if err != nil {
		return nil, err
	}
	if c.Exported != nil {
		if err := c.Exported(r.Context(), p.Name, r.URL.Query().Get("q"), len(list)); err != nil {
			return nil, err
		}
	}
	w.Header().Set("Content-Disposition", `attachment; filename="trammel-evidence.`+as+`"`)
	if as == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		out := csv.NewWriter(w)
		out.Write([]string{"time", "id", "host", "event", "session", "project", "tool", "decision", "summary", "reason"})
		for _, e := range list {
			out.Write(cells(iso(e.Time.Time), e.ID, e.Host, e.Event, e.Session, e.Project, e.Tool, e.Decision, e.Summary, e.Reason))
		}
		out.Flush()
		return nil, nil
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	enc := json.NewEncoder(w)
	for _, e := range list {
		safe := *e
		safe.Summary, safe.Reason = clean(e.Summary), clean(e.Reason)
		enc.Encode(&safe)
	}
	return nil, nil
}

// cells keeps a spreadsheet from taking a text for a formula.
func cells(texts ...string) []string {
	for i, text := range texts {
		texts[i] = clean(evidence.Cell(text))
	}
	return texts
}
