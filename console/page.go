package console

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/secure"
	"github.com/trammel-dev/trammel/store"
)

// page answers a request with what a template shows, or with an error.
type page func(w http.ResponseWriter, r *http.Request) (*view, error)

// view is what a template shows.
type view struct {
	Template string
	Title    string
	Status   int // 0 is 200
	// Tab is the page that the navigation marks.
	Tab string
	// Problem is what was refused, or is wrong; Hint says what to do.
	Problem, Hint string
	Data          any

	// The rest is set for every page.
	Person  *auth.Person
	Nonce   string
	Theme   string
	Now     time.Time
	Pending int
	Path    string   // of this page, with its query
	Query   string   // the filter
	Broken  []string // logs that are not as they were written
}

// problem is an error with a status, for people.
type problem struct {
	status       int
	detail, hint string
}

func (p *problem) Error() string { return p.detail }

// known lets only people through that are logged in.
func (c *console) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := auth.From(r.Context()); {
		case p != nil && p.Role >= auth.Viewer:
			next.ServeHTTP(w, r)
		case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		default:
			http.Error(w, "log in first", http.StatusUnauthorized)
		}
	})
}

// serve makes a handler of a page.
func (c *console) serve(h page) http.Handler {
	return c.known(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var v *view
		s, err := c.Approvals(r.Context())
		if err == nil {
			r = r.WithContext(context.WithValue(r.Context(), serviceKey{}, s))
			v, err = h(w, r)
		}
		if err != nil {
			v = refusal(err)
		}
		if v != nil { // else it was answered
			c.write(w, r, v)
		}
	}))
}

type serviceKey struct{}

// service is the approval service for this request; nil if it is unavailable.
func service(ctx context.Context) *approvals.Service {
	s, _ := ctx.Value(serviceKey{}).(*approvals.Service)
	return s
}

// refusal shows an error as a page.
func refusal(err error) *view {
	p := explain(err)
	return &view{Template: "problem", Title: "Not done", Status: p.status, Problem: p.detail, Hint: p.hint}
}

// explain says what an error means to a person. What is not meant for them is
// not told.
func explain(err error) *problem {
	var p *problem
	var refused *approvals.Refusal
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &refused):
		return &problem{refused.Status(), refused.Detail, ""}
	case errors.Is(err, store.ErrNotFound):
		return &problem{http.StatusNotFound, "Nothing was found here.", "It may have been removed, or the link is incomplete."}
	case errors.Is(err, auth.ErrTooMany):
		return &problem{http.StatusTooManyRequests, "Too many attempts.", "Wait a minute."}
	case errors.Is(err, auth.ErrProof), errors.Is(err, auth.ErrUnknown):
		return &problem{http.StatusForbidden, "A decision needs a proof of who you are.", "Give the authority secret, or log in again."}
	case errors.Is(err, approvals.ErrSecret):
		return &problem{http.StatusForbidden, "This is not the authority secret.", "Nothing was decided."}
	}
	return &problem{http.StatusServiceUnavailable, "The store cannot be read or written now.",
		"Nothing was decided. Calls that wait keep waiting, or are denied. See the server's log, or run trammel doctor."}
}

func (c *console) missing(http.ResponseWriter, *http.Request) (*view, error) {
	return nil, &problem{http.StatusNotFound, "There is no such page.", "The link may be incomplete."}
}

// write sends a page.
func (c *console) write(w http.ResponseWriter, r *http.Request, v *view) {
	v.Person, v.Nonce, v.Now, v.Path = auth.From(r.Context()), secure.Nonce(r.Context()), c.Now(), r.URL.RequestURI()
	v.Query = r.URL.Query().Get("q")
	if k, err := r.Cookie("trammel-theme"); err == nil && (k.Value == "light" || k.Value == "dark") {
		v.Theme = k.Value
	}
	if v.Person != nil {
		if chains := c.chains(r.Context(), false); chains != nil {
			v.Broken = chains.Broken
		}
	}
	if v.Person != nil && service(r.Context()) != nil {
		if n, err := c.waiting(r.Context()); err == nil {
			v.Pending = n
		} else if v.Problem == "" {
			p := explain(err)
			v.Problem, v.Hint = p.detail, p.hint
		}
	}
	var out bytes.Buffer
	if err := c.pages[v.Template].ExecuteTemplate(&out, "layout", v); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.Status != 0 {
		w.WriteHeader(v.Status)
	}
	w.Write(out.Bytes())
}

type pages map[string]*template.Template

// parse reads the templates: the layout with what pages share, and each page.
func parse() pages {
	base := template.Must(template.New("").Funcs(funcs).ParseFS(content, "templates/layout.html", "templates/part_*.html"))
	entries, err := content.ReadDir("templates")
	if err != nil {
		panic(err) // they are embedded
	}
	out := pages{}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".html")
		if name == "layout" || strings.HasPrefix(name, "part_") {
			continue
		}
		out[name] = template.Must(template.Must(base.Clone()).ParseFS(content, "templates/"+e.Name()))
	}
	return out
}
