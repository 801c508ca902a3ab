package server

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/pipeline"
)

// Row is a record of the evidence in one line.
type Row struct {
	Seq      uint64    `json:"seq"`
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	Host     string    `json:"host"`
	Event    string    `json:"event"`
	Session  string    `json:"session,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Action   string    `json:"action,omitempty"`
	Summary  string    `json:"summary,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Hooks    []string  `json:"hooks,omitempty"`
	Rewrites []string  `json:"rewrites,omitempty"`
	Micros   int64     `json:"micros"`
	Error    string    `json:"error,omitempty"`
}

func rowView(r *evidence.Row) Row {
	safe := func(text string) string {
		text, _ = secret.Redact(text)
		return show.Line(text)
	}
	return Row{r.Seq, r.ID, r.Time, safe(r.Host), safe(r.Event), safe(r.Session), safe(r.Tool), r.Action, safe(r.Summary), r.Decision,
		safe(r.Reason), r.Hooks, r.Rewrites, r.Micros, r.Error}
}

// Evidence is the last records that were asked for, newest first. Next is the
// before of the next page.
type Evidence struct {
	Project string `json:"project"`
	Records []Row  `json:"records"`
	Next    uint64 `json:"next,omitempty"`
}

// listEvidence lists the records of one project.
func (s *Server) listEvidence(w http.ResponseWriter, r *http.Request) {
	f := evidence.Filter{Host: r.FormValue("host"), Event: r.FormValue("event"), Session: r.FormValue("session"), Tool: r.FormValue("tool"),
		Decision: r.FormValue("decision"), Hook: r.FormValue("hook")}
	before, err := number(r.FormValue("before"))
	if err != nil {
		s.failed(w, r, err)
		return
	}
	project := r.FormValue("project")
	if !filepath.IsAbs(project) {
		s.failed(w, r, malformed("project is not an absolute path"))
		return
	}
	project = layers.Root(s.Program.Dirs, project)
	dir, err := pipeline.EvidenceDir(s.Program.Dirs, project)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	out := Evidence{Project: project, Records: []Row{}}
	var last []evidence.Row
	err = evidence.List(dir, f, func(row evidence.Row) error {
		if before > 0 && row.Seq >= before {
			return evidence.ErrStop
		}
		if last = append(last, row); len(last) > 2*page {
			last = slices.Delete(last, 0, len(last)-page)
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		s.failed(w, r, err)
		return
	}
	last = last[max(0, len(last)-page):]
	for i := range slices.Backward(last) {
		out.Records = append(out.Records, rowView(&last[i]))
	}
	if len(last) == page {
		out.Next = last[0].Seq
	}
	s.answer(w, out)
}

// number reads a number of a query; "" is 0.
func number(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, malformed(strconv.Quote(text) + " is not a number")
	}
	return n, nil
}
