package server

import (
	"net/http"
	"strconv"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/filter"
)

// page is the maximum number of entries in an answer.
const page = 100

// asked reads the parameters of a list: a filter, and where its page begins.
func (s *Server) asked(r *http.Request, scope filter.Scope) (svc *approvals.Service, f *filter.Query, before int64, err error) {
	if f, err = filter.Parse(r.FormValue("q"), scope, s.Now()); err != nil {
		return nil, nil, 0, malformed(err.Error())
	}
	if text := r.FormValue("before"); text != "" {
		if before, err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, nil, 0, malformed(strconv.Quote(text) + " is not a number")
		}
	}
	svc, err = s.service(r.Context())
	return svc, f, before, err
}
