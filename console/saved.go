package console

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/server/auth"
)

// savedFilters keeps the filters of people: one value for each person and page,
// a list of texts, the last one first.
var savedFilters = trammel.Bucket{Name: "console/filters", Keep: 400 * 24 * time.Hour, Lossy: true}

// mostSaved is how many filters somebody has for a page.
const mostSaved = 20

// filtered are the pages with a filter, and what it is about.
var filtered = map[string]filter.Scope{"inbox": filter.Approvals, "live": filter.Events, "sessions": filter.Events,
	"evidence": filter.Events}

func savedKey(p *auth.Person, page string) []trammel.Key { return []trammel.Key{{p.Name, page}} }

// saved lists the filters that somebody has saved for a page. A page is not
// refused because of them.
func (c *console) saved(ctx context.Context, p *auth.Person, page string) (out []string) {
	service(ctx).Store.View(ctx, &savedFilters, savedKey(p, page), func(values [][]byte) error {
		return json.Unmarshal(values[0], &out)
	})
	return out
}

// save saves a filter, or drops one.
func (c *console) save(w http.ResponseWriter, r *http.Request) (*view, error) {
	p, page, q := auth.From(r.Context()), r.PathValue("page"), r.PostFormValue("q")
	scope, ok := filtered[page]
	if !ok {
		return c.missing(w, r)
	}
	if _, err := filter.Parse(q, scope, c.Now()); err != nil {
		return nil, wrong(err)
	}
	if q == "" {
		return nil, &problem{http.StatusUnprocessableEntity, "There is no filter to save.", "Type one first."}
	}
	err := service(r.Context()).Store.Update(r.Context(), &savedFilters, savedKey(p, page), func(values [][]byte) (err error) {
		var list []string
		json.Unmarshal(values[0], &list) // what cannot be read is replaced
		list = slices.DeleteFunc(list, func(have string) bool { return have == q })
		if r.PostFormValue("do") != "drop" {
			list = slices.Insert(list, 0, q)
		}
		values[0], err = json.Marshal(list[:min(len(list), mostSaved)])
		return err
	})
	if err != nil {
		return nil, err
	}
	http.Redirect(w, r, "/"+page+"?q="+url.QueryEscape(q), http.StatusSeeOther)
	return nil, nil
}
