package console

import (
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
)

// Which denials can be lifted here.
const (
	recentDenials = 24 * time.Hour
	mostDenials   = 50
)

// denialList is the tab with what was denied: a person can let one call pass,
// once.
type denialList struct {
	Rows    []denial
	Why     string // why this person cannot
	Secret  bool
	Allowed string // the grant that was just made
}

// denial is a denied call as people see it.
type denial struct {
	*full.Denied
	Payload string
}

func (c *console) denials(_ http.ResponseWriter, r *http.Request) (*view, error) {
	p := auth.From(r.Context())
	if c.Denials == nil {
		return nil, &problem{http.StatusServiceUnavailable, "This server does not know what was denied.", "Run trammel allow where the agent is."}
	}
	list, err := c.Denials(r.Context(), c.Now().Add(-recentDenials), mostDenials)
	if err != nil {
		return nil, err
	}
	out := &denialList{Why: mayNot(p), Secret: !p.Fresh(c.Now()), Allowed: r.URL.Query().Get("allowed")}
	for i := range list {
		d := denial{Denied: &list[i]}
		if len(list[i].Payload) > 0 {
			d.Payload = show.Args(list[i].Payload).Text
		}
		out.Rows = append(out.Rows, d)
	}
	return &view{Template: "denials", Title: "Denied", Tab: "inbox", Data: out}, nil
}

// allow lets one denied call pass once.
func (c *console) allow(w http.ResponseWriter, r *http.Request) (*view, error) {
	if c.Denials == nil || c.AllowOnce == nil {
		return nil, &problem{http.StatusServiceUnavailable, "Nothing can be allowed here.", "Run trammel allow where the agent is."}
	}
	p, err := c.decider(r)
	if err != nil {
		return nil, err
	}
	list, err := c.Denials(r.Context(), c.Now().Add(-recentDenials), mostDenials)
	if err != nil {
		return nil, err
	}
	for i := range list {
		d := &list[i]
		if d.Record != r.PathValue("id") {
			continue
		}
		if d.Final != "" {
			return nil, &problem{http.StatusForbidden, "This denial is final: " + d.Final, "Nothing was allowed."}
		}
		if d.Shown != r.PostFormValue("shown") {
			return nil, &problem{http.StatusConflict, "The record has changed since you saw it.", "Nothing was allowed. Look at it again."}
		}
		g, err := c.AllowOnce(r.Context(), d.Denial, approvals.Granter{Identity: p.Identity, Signer: p.Key, For: approvals.DefaultOnce,
			Reason: strings.TrimSpace(r.PostFormValue("why"))})
		if err != nil {
			return nil, err
		}
		http.Redirect(w, r, "/denied?allowed="+g.ID, http.StatusSeeOther)
		return nil, nil
	}
	return nil, &problem{http.StatusNotFound, "This call is not among the recent denials.", "Nothing was allowed."}
}
